/**
 * Takes what a command prints, on both its streams in the order in which it arrives, and keeps the head of it.
 * The cap holds while it reads: what comes after is counted and dropped, so a flood needs no memory. Each stream
 * is decoded on its own, since a piece may end inside a character.
 */
import { cutText, utf8Bytes } from '../../runtime/tools/cut-text.ts';

/** What was kept. */
export interface CapturedOutput {
  /** Whole characters, at most as many bytes as the cap; bytes that are no UTF-8 are shown as U+FFFD. */
  readonly text: string;
  /** Bytes that were not kept; a byte that is no UTF-8 counts as the U+FFFD that would stand for it, as far as it was decoded. */
  readonly droppedBytes: number;
}

/** Keeps the head of a command's output. */
export class OutputCapture {
  readonly #capBytes: number;
  readonly #onText: (text: string) => void;
  readonly #streams: StreamDecoder[] = [];
  #text = '';
  #keptBytes = 0;
  #full = false;

  /** `onText` gets each piece of text that is kept, as it comes. */
  constructor(capBytes: number, onText: (text: string) => void = () => {}) {
    this.#capBytes = capBytes;
    this.#onText = onText;
  }

  /** A way in for one stream: call it with each piece of bytes. */
  addStream(): (bytes: Uint8Array) => void {
    const stream = new StreamDecoder();
    this.#streams.push(stream);
    return (bytes) => {
      if (this.#full) stream.skip(bytes);
      else this.#keep(stream.decode(bytes));
    };
  }

  /** Closes all streams and tells what was kept. */
  finish(): CapturedOutput {
    for (const stream of this.#streams) if (!this.#full) this.#keep(stream.end());
    const size = this.#streams.reduce((sum, stream) => sum + stream.size, 0);
    return { text: this.#text, droppedBytes: Math.max(0, size - this.#keptBytes) };
  }

  #keep(text: string): void {
    const { text: kept, droppedBytes } = cutText(text, this.#capBytes - this.#keptBytes);
    this.#text += kept;
    this.#keptBytes += utf8Bytes(kept);
    // Once a character did not fit, a smaller one that would must not follow: the head has no gaps.
    this.#full = droppedBytes > 0;
    if (kept !== '') this.#onText(kept);
  }
}

/** Decodes one stream and knows how large it is as text. */
class StreamDecoder {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #bytes = 0;
  #decodedBytes = 0;
  #textBytes = 0;

  decode(bytes: Uint8Array): string {
    this.#bytes += bytes.byteLength;
    this.#decodedBytes += bytes.byteLength;
    return this.#counted(this.#decoder.decode(bytes, { stream: true }));
  }

  skip(bytes: Uint8Array): void {
    this.#bytes += bytes.byteLength;
  }

  end(): string {
    return this.#counted(this.#decoder.decode());
  }

  /** Bytes of the stream; what was decoded and is no UTF-8 counts as the three bytes of each U+FFFD. */
  get size(): number {
    return this.#bytes + Math.max(0, this.#textBytes - this.#decodedBytes);
  }

  #counted(text: string): string {
    this.#textBytes += utf8Bytes(text);
    return text;
  }
}
