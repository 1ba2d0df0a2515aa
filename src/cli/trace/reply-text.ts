/**
 * Reply text: the model's text as it streams to the trace. What is printed depends on the characters only, never on how
 * they were cut into deltas, so that a recording with merged deltas prints the same bytes. Blank space at either end of
 * the reply is left out: inside, it is printed when something follows it.
 */
import { InertStream } from '../../node/inert-text.ts';

/** The text of one reply, from its first delta to its turn record. */
export class ReplyText {
  readonly #inert = new InertStream();
  #received = '';
  #blanks = '';
  #lineOpen = false;
  #shown = false;

  /** Whether anything of this reply was printed. */
  get isShown(): boolean {
    return this.#shown;
  }

  /** Takes a delta and returns what to print. */
  push(delta: string): string {
    this.#received += delta;
    return this.#print(this.#inert.push(delta));
  }

  /** Ends the line, for something else to be printed; the reply goes on behind it. Returns the line end, where one is open. */
  breakLine(): string {
    const lineEnd = this.#lineOpen ? '\n' : '';
    this.#blanks = '';
    this.#lineOpen = false;
    return lineEnd;
  }

  /**
   * Ends the reply with its whole text, and returns what to print to make it complete: nothing when all of it has
   * streamed, the rest when a part has, and all of it again when what was streamed is something else (deltas were lost).
   */
  complete(whole: string): string {
    if (whole.startsWith(this.#received)) return this.push(whole.slice(this.#received.length)) + this.end();
    const isWhole = this.#received.trim() === whole.trim();
    const ended = this.end();
    return isWhole ? ended : ended + this.push(whole) + this.end();
  }

  /** Ends the reply where it is. Returns what was held back and the line end; the next reply may begin. */
  end(): string {
    const rest = this.#print(this.#inert.end()) + this.breakLine();
    this.#received = '';
    this.#shown = false;
    return rest;
  }

  #print(text: string): string {
    const pending = this.#lineOpen ? this.#blanks + text : (this.#blanks + text).trimStart();
    const printable = pending.trimEnd();
    this.#blanks = pending.slice(printable.length);
    if (printable !== '') {
      this.#lineOpen = true;
      this.#shown = true;
    }
    return printable;
  }
}
