/**
 * Where a text stops being JSON. Engines word their own messages, each its own way and not always with a position;
 * what a model is told goes into the journal and must be the same everywhere.
 */

/** The first place at which a text cannot be JSON any more. */
export interface JsonError {
  /** Index in UTF-16 units; the length of the text where it ends too early. */
  readonly position: number;
  /** What JSON would go on with, in words. */
  readonly expected: string;
}

type State = 'value' | 'value_or_end' | 'name' | 'name_or_end' | 'colon' | 'next' | 'end';

/** Finds the place; undefined when the text is JSON. Time linear in the text, and no deeper a stack for deeper data. */
export function findJsonError(text: string): JsonError | undefined {
  try {
    new Scanner(text).scan();
    return undefined;
  } catch (error) {
    if (error instanceof Unexpected) return { position: error.position, expected: error.expected };
    throw error;
  }
}

class Unexpected extends Error {
  readonly position: number;
  readonly expected: string;

  constructor(position: number, expected: string) {
    super(expected);
    this.position = position;
    this.expected = expected;
  }
}

class Scanner {
  readonly #text: string;
  #at = 0;
  #state: State = 'value';
  /** Closing brackets that are still due. */
  readonly #due: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  scan(): void {
    for (this.#skipBlanks(); this.#state !== 'end'; this.#skipBlanks()) this.#step();
    if (this.#at < this.#text.length) throw this.#unexpected('the end of the text');
  }

  #step(): void {
    const state = this.#state;
    const closing = this.#due.at(-1) ?? '';
    if (state === 'colon') this.#take(':', 'value', '":"');
    else if (state === 'next' && this.#is(',')) this.#take(',', closing === '}' ? 'name' : 'value', '","');
    else if (state !== 'value' && state !== 'name' && closing !== '' && this.#is(closing)) this.#close();
    else if (state === 'next') throw this.#unexpected(`"," or "${closing}"`);
    else if (state === 'name' || state === 'name_or_end') this.#name(state === 'name' ? '' : ' or "}"');
    else this.#value();
  }

  #name(alternative: string): void {
    if (!this.#is('"')) throw this.#unexpected(`a property name in double quotes${alternative}`);
    this.#string();
    this.#state = 'colon';
  }

  #value(): void {
    const char = this.#text[this.#at] ?? '';
    if (char === '{') return this.#open('}', 'name_or_end');
    if (char === '[') return this.#open(']', 'value_or_end');
    if (char === '"') this.#string();
    else if (char === '-' || isDigit(char)) this.#number();
    else this.#word(['true', 'false', 'null'].find((word) => char !== '' && word.startsWith(char)));
    this.#state = this.#due.length === 0 ? 'end' : 'next';
  }

  #open(closing: string, state: State): void {
    this.#due.push(closing);
    this.#at += 1;
    this.#state = state;
  }

  #close(): void {
    this.#due.pop();
    this.#at += 1;
    this.#state = this.#due.length === 0 ? 'end' : 'next';
  }

  #string(): void {
    for (this.#at += 1; !this.#is('"'); this.#at += 1) {
      if (this.#at >= this.#text.length) throw this.#unexpected('a closing double quote');
      if (this.#text.charCodeAt(this.#at) < 0x20) throw this.#unexpected('an escape instead of a control character');
      if (this.#is('\\')) this.#escapeSequence();
    }
    this.#at += 1;
  }

  #escapeSequence(): void {
    this.#at += 1;
    const char = this.#text[this.#at] ?? '';
    if (char === '' || !'"\\/bfnrtu'.includes(char)) throw this.#unexpected('one of "\\/bfnrtu behind a backslash');
    if (char !== 'u') return;
    for (let digit = 0; digit < 4; digit += 1) {
      this.#at += 1;
      if (!/^[0-9a-fA-F]$/u.test(this.#text[this.#at] ?? '')) throw this.#unexpected('four hexadecimal digits behind \\u');
    }
  }

  #number(): void {
    if (this.#is('-')) this.#at += 1;
    if (this.#is('0')) this.#at += 1;
    else this.#digits();
    if (this.#is('.')) {
      this.#at += 1;
      this.#digits();
    }
    if (this.#is('e') || this.#is('E')) {
      this.#at += 1;
      if (this.#is('+') || this.#is('-')) this.#at += 1;
      this.#digits();
    }
  }

  #digits(): void {
    if (!isDigit(this.#text[this.#at] ?? '')) throw this.#unexpected('a digit');
    while (isDigit(this.#text[this.#at] ?? '')) this.#at += 1;
  }

  #word(word: string | undefined): void {
    if (word === undefined) throw this.#unexpected(this.#state === 'value_or_end' ? 'a value or "]"' : 'a value');
    for (const char of word) this.#take(char, this.#state, word);
  }

  #take(char: string, state: State, expected: string): void {
    if (!this.#is(char)) throw this.#unexpected(expected);
    this.#at += 1;
    this.#state = state;
  }

  #is(char: string): boolean {
    return this.#text[this.#at] === char;
  }

  #skipBlanks(): void {
    while (this.#at < this.#text.length && ' \t\n\r'.includes(this.#text.charAt(this.#at))) this.#at += 1;
  }

  #unexpected(expected: string): Unexpected {
    return new Unexpected(this.#at, expected);
  }
}

function isDigit(char: string): boolean {
  return char >= '0' && char <= '9' && char.length === 1;
}
