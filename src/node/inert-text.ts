/**
 * Inert text: what a model, a tool or an error says, made harmless for a terminal. Every control character is replaced
 * by something visible, one by one and without knowing any escape sequence, so that no sequence survives however it is
 * cut, nested or left unended. Newlines and tabs stay; whoever needs one line takes `inertLine`.
 */

// Controls (C0, DEL, C1), line and paragraph separators, what reorders the text around it, and halves of characters.
const NOT_INERT = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu;
const CONTROL_PICTURES = 0x2400;
const DELETE = 0x7f;

/** Text of several lines, inert. Newlines and tabs are kept, CR LF becomes a newline, the rest shows as `␛` or `\x9b` or `\u202e`. */
export function inertText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(NOT_INERT, visible);
}

/** Text as one inert line: each run of blanks and newlines is one space, none at either end. */
export function inertLine(text: string): string {
  return inertText(text).replace(/\s+/gu, ' ').trim();
}

/**
 * Inert text from pieces: the same characters come out however the text was cut into pieces. A last CR or the first
 * half of a character is held back until the next piece tells what it is.
 */
export class InertStream {
  #held = '';

  /** Takes a piece and returns what may be shown now. */
  push(piece: string): string {
    const text = this.#held + piece;
    this.#held = text.match(/[\r\ud800-\udbff]$/)?.[0] ?? '';
    return inertText(text.slice(0, text.length - this.#held.length));
  }

  /** Returns what was held back; the stream then stands at its beginning again. */
  end(): string {
    const rest = inertText(this.#held);
    this.#held = '';
    return rest;
  }
}

function visible(character: string): string {
  if (character === '\n' || character === '\t') return character;
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(CONTROL_PICTURES + code);
  if (code === DELETE) return '\u2421';
  if (code < 0xa0) return `\\x${code.toString(16)}`;
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  return `\\u${code.toString(16)}`;
}
