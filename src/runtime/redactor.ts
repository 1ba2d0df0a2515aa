/**
 * Redaction (L10): known keys are replaced before anybody sees them. A stream holds back just those last
 * characters that could be the beginning of a key.
 */

/** What stands in place of a key. */
const REDACTED = '[redacted]';

/** Keys shorter than this are no keys but placeholders, and replacing them would mutilate ordinary text. */
const SHORTEST_KEY = 8;

/** A piece of a text, from `start` up to but without `end`. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** Redacts the pieces of one stream of text. */
export interface StreamRedactor {
  /** Takes a piece, gives what can be shown of all so far; may be ''. */
  push(text: string): string;
  /** Gives what was held back; the stream is over. */
  flush(): string;
}

/** Replaces known keys in texts, in whole values and in streams. */
export class Redactor {
  readonly #keys: readonly string[];

  constructor(keys: Iterable<string>) {
    this.#keys = [...new Set(keys)].filter((key) => key.length >= SHORTEST_KEY).sort((a, b) => b.length - a.length);
  }

  /** Whether there is anything to replace. */
  get active(): boolean {
    return this.#keys.length > 0;
  }

  /** A redactor that knows further keys as well. */
  with(keys: Iterable<string>): Redactor {
    return new Redactor([...this.#keys, ...keys]);
  }

  /** Whether the text holds a key. */
  finds(text: string): boolean {
    return this.#keys.some((key) => text.includes(key));
  }

  /** The text with every key replaced; keys that overlap are one gap, so that no part of either is left. */
  text(text: string): string {
    return this.finds(text) ? replaceRanges(text, this.#ranges(text)) : text;
  }

  /** The value with every key replaced in every text of it, keys of objects too; the same object where there is none. */
  value<T>(value: T): T {
    return this.active ? (this.#walk(value) as T) : value;
  }

  /** Redacts one stream. */
  stream(): StreamRedactor {
    let held = '';
    /** How much of `held` belongs to a key whose replacement has been shown. */
    let covered = 0;
    const show = (all: string, end: number): string => {
      const known = covered > 0 ? [{ start: 0, end: covered }] : [];
      const ranges = this.#ranges(all, known).filter(({ start }, index) => start < end || index < known.length);
      const shown = replaceRanges(all.slice(0, end), ranges, covered > 0);
      held = all.slice(end);
      covered = Math.max(0, (ranges.at(-1)?.end ?? 0) - end);
      return shown;
    };
    return {
      push: (text) => {
        if (!this.active) return text;
        const all = held + text;
        return show(all, all.length - this.#heldBack(all));
      },
      flush: () => show(held, held.length),
    };
  }

  /** Where keys stand, in order; what overlaps is one range, the `known` ones included. */
  #ranges(text: string, known: readonly Range[] = []): Range[] {
    const found = [...known];
    for (const key of this.#keys) {
      for (let at = text.indexOf(key); at !== -1; at = text.indexOf(key, at + 1)) found.push({ start: at, end: at + key.length });
    }
    return joined(found);
  }

  /** Length of the longest end of the text that is the beginning of a key. */
  #heldBack(text: string): number {
    let longest = 0;
    for (const key of this.#keys) {
      for (let length = Math.min(key.length - 1, text.length); length > longest; length--) {
        if (text.endsWith(key.slice(0, length))) longest = length;
      }
    }
    return longest;
  }

  #walk(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) {
      const items = value.map((item) => this.#walk(item));
      return items.some((item, index) => item !== value[index]) ? items : value;
    }
    let changed = false;
    const entries = Object.entries(value).map(([key, item]) => {
      const entry = [this.text(key), this.#walk(item)] as const;
      changed ||= entry[0] !== key || entry[1] !== item;
      return entry;
    });
    return changed ? Object.fromEntries(entries) : value;
  }
}

/** The ranges in order, those that overlap as one. */
function joined(ranges: readonly Range[]): Range[] {
  const result: Range[] = [];
  for (const range of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last === undefined || range.start >= last.end) result.push(range);
    else result[result.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
  }
  return result;
}

/** The text with a mark in place of each range; without one for the first, where that has been `told` already. */
function replaceRanges(text: string, ranges: readonly Range[], told = false): string {
  let result = '';
  let end = 0;
  for (const [index, range] of ranges.entries()) {
    result += text.slice(end, range.start) + (told && index === 0 ? '' : REDACTED);
    end = range.end;
  }
  return result + text.slice(end);
}
