/**
 * Redaction (L10): known keys are replaced before anybody sees them. A stream holds back just those last
 * characters that could be the beginning of a key.
 */

/** What stands in place of a key. */
const REDACTED = '[redacted]';

/** Keys shorter than this are no keys but placeholders, and replacing them would mutilate ordinary text. */
const SHORTEST_KEY = 8;

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

  /** The text with every key replaced. */
  text(text: string): string {
    let result = text;
    for (const key of this.#keys) if (result.includes(key)) result = result.replaceAll(key, REDACTED);
    return result;
  }

  /** The value with every key replaced in every text of it, keys of objects too; the same object where there is none. */
  value<T>(value: T): T {
    return this.active ? (this.#walk(value) as T) : value;
  }

  /** Redacts one stream. */
  stream(): StreamRedactor {
    let held = '';
    return {
      push: (text) => {
        if (!this.active) return text;
        const all = this.text(held + text);
        const keep = this.#heldBack(all);
        held = all.slice(all.length - keep);
        return all.slice(0, all.length - keep);
      },
      flush: () => {
        const rest = held;
        held = '';
        return rest;
      },
    };
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
