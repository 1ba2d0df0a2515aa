/** The lines of a file, read piece by piece, so that a large file costs no more memory than its longest line. */
import { type FileHandle, open } from 'node:fs/promises';
import type { RawLine } from '../../runtime/recording/recording-reader.ts';

const PIECE_BYTES = 262_144;
const LINE_BREAK = 0x0a;

/** Longest line that is read, in bytes, where nothing else is said: more than a provider takes in one request. */
const MOST_LINE_BYTES = 64 * 1_048_576;

/** Options of `linesOf`. */
export interface LinesOptions {
  /** Where in the file to begin, in bytes. */
  readonly start?: number;
  /** A longer line is passed over and reported by its length. */
  readonly maxLineBytes?: number;
}

/** Reads a file's lines, divided at `\n` and nothing else, as they are at the moment of reading. Rejects as `open` and `read` do. */
export async function* linesOf(path: string, options: LinesOptions = {}): AsyncGenerator<RawLine, void, undefined> {
  const file = await open(path, 'r');
  try {
    const line = new PartialLine(options.maxLineBytes ?? MOST_LINE_BYTES);
    for await (const piece of piecesOf(file, options.start ?? 0)) {
      let start = 0;
      for (let end = piece.indexOf(LINE_BREAK); end !== -1; end = piece.indexOf(LINE_BREAK, start)) {
        line.add(piece.subarray(start, end));
        yield line.take(true);
        start = end + 1;
      }
      line.add(piece.subarray(start));
    }
    if (!line.isEmpty) yield line.take(false);
  } finally {
    await file.close();
  }
}

async function* piecesOf(file: FileHandle, start: number): AsyncGenerator<Buffer, void, undefined> {
  for (let position = start; ; ) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(PIECE_BYTES), 0, PIECE_BYTES, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** The line that is being read. Beyond the cap only its length is kept. */
class PartialLine {
  readonly #cap: number;
  #parts: Buffer[] = [];
  #length = 0;

  constructor(cap: number) {
    this.#cap = cap;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  add(part: Buffer): void {
    this.#length += part.length;
    if (this.#length > this.#cap) this.#parts = [];
    else this.#parts.push(part);
  }

  take(ended: boolean): RawLine {
    const line: RawLine =
      this.#length > this.#cap ? { tooLongBytes: this.#length } : { text: Buffer.concat(this.#parts).toString('utf8'), ended };
    this.#parts = [];
    this.#length = 0;
    return line;
  }
}
