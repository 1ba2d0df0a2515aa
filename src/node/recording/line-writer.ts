/**
 * LineWriter: the one queue through which a file is written. Lines are written in the order in which they were
 * appended, those that wait together in one write. After the first failure nothing more is written: what comes behind
 * a hole would only look whole.
 */
import { fstatSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { describeError, SteerloopError } from '../../runtime/errors.ts';

/** Most UTF-16 units in one write. */
const MOST_BATCH = 1_048_576;
const KEPT = Promise.resolve();

/** Options of a `LineWriter`. */
export interface LineWriterOptions {
  /** Path of the file, for messages. */
  readonly path: string;
  /** Size of the file now, in bytes. */
  readonly size: number;
  /** The file ends within a line, which must not be continued. */
  readonly torn?: boolean;
  /** Whether lines count as kept only when the disk has them. */
  readonly sync?: boolean;
}

interface Waiter {
  readonly line: number;
  readonly resolve: () => void;
  readonly reject: (error: SteerloopError) => void;
}

/** Writes lines to the end of a file. */
export class LineWriter {
  readonly #file: FileHandle;
  readonly #path: string;
  readonly #sync: boolean;
  readonly #linked: boolean;
  #queue: string[] = [];
  #backlogBytes = 0;
  #offset: number;
  #fence: string;
  #appended = 0;
  #kept = 0;
  /** Last line that is taken. */
  #last = Number.POSITIVE_INFINITY;
  #waiters: Waiter[] = [];
  #pump: Promise<void> | undefined;
  #failure: SteerloopError | undefined;
  #closing: Promise<void> | undefined;

  constructor(file: FileHandle, options: LineWriterOptions) {
    this.#file = file;
    this.#path = options.path;
    this.#sync = options.sync ?? false;
    this.#fence = options.torn ? '\n' : '';
    this.#offset = options.size + this.#fence.length;
    // Some file systems count no links at all.
    this.#linked = fstatSync(file.fd).nlink > 0;
  }

  /** How many bytes wait to be written. */
  get backlogBytes(): number {
    return this.#backlogBytes;
  }

  /** Where in the file the next line begins, in bytes. */
  get nextOffset(): number {
    return this.#offset;
  }

  /** How many of the appended lines are kept. */
  get keptLines(): number {
    return this.#kept;
  }

  /** Takes a line, given without its line break, and returns its number, from 1. Never throws. */
  append(line: string): number {
    this.#appended += 1;
    if (this.#failure !== undefined || this.#closing !== undefined) return this.#appended;
    const bytes = Buffer.byteLength(line) + 1;
    this.#queue.push(line);
    this.#backlogBytes += bytes;
    this.#offset += bytes;
    // Starts in a microtask, so that what is appended in one go is written in one go.
    this.#pump ??= KEPT.then(() => this.#writeQueue());
    return this.#appended;
  }

  /**
   * Resolves when this line and all before it are kept. Rejects with code `journal_unavailable` once writing has failed, and
   * for a line that came after `close`.
   */
  kept(line = this.#appended): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (line <= this.#kept) return KEPT;
    if (line > this.#last) return Promise.reject(this.#unavailable('it has been closed'));
    return new Promise((resolve, reject) => this.#waiters.push({ line, resolve, reject }));
  }

  /** Ends writing: all lines from here on are lost, and every wait for one rejects. */
  fail(cause: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = this.#unavailable(cause);
    this.#queue = [];
    this.#backlogBytes = 0;
    for (const waiter of this.#waiters) waiter.reject(this.#failure);
    this.#waiters = [];
  }

  /** Writes what waits and closes the file. Rejects when a line that was appended is lost; a second call gives the same promise. */
  close(): Promise<void> {
    if (this.#closing === undefined) {
      this.#last = this.#appended;
      this.#closing = this.#finish();
    }
    return this.#closing;
  }

  async #finish(): Promise<void> {
    await this.#pump;
    await this.#file.close();
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #writeQueue(): Promise<void> {
    try {
      while (this.#queue.length > 0) await this.#writeBatch(this.#takeBatch());
    } catch (error) {
      this.fail(error);
    }
    this.#pump = undefined;
  }

  #takeBatch(): string[] {
    let count = 0;
    for (let length = 0; count < this.#queue.length && length < MOST_BATCH; count += 1) length += this.#queue[count]?.length ?? 0;
    return this.#queue.splice(0, count);
  }

  async #writeBatch(lines: readonly string[]): Promise<void> {
    const bytes = Buffer.from(`${this.#fence}${lines.join('\n')}\n`);
    for (let written = 0; written < bytes.length; ) {
      written += (await this.#file.write(bytes, written)).bytesWritten;
    }
    if (this.#sync) await this.#file.datasync();
    if (this.#failure !== undefined) return;
    // A removed file takes every write and keeps none.
    if (this.#linked && fstatSync(this.#file.fd).nlink === 0) throw new Error('the file has been removed');
    this.#backlogBytes -= bytes.length - this.#fence.length;
    this.#fence = '';
    this.#kept += lines.length;
    this.#release();
  }

  #release(): void {
    const waiters = this.#waiters;
    this.#waiters = waiters.filter((waiter) => waiter.line > this.#kept);
    for (const waiter of waiters) if (waiter.line <= this.#kept) waiter.resolve();
  }

  #unavailable(cause: unknown): SteerloopError {
    return new SteerloopError('journal_unavailable', `The recording ${this.#path} cannot be written: ${describeError(cause)}.`, { cause });
  }
}
