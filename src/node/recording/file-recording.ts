/**
 * FileRecording: writes the events of one run or of several to a file and serves as their journal. Keeps L4 (a commit
 * follows the write) and L8 (streamed text is merged, and dropped while the disk cannot follow; what is kept is read
 * from the file, not from memory).
 */
import { describeError, SteerloopError } from '../../runtime/errors.ts';
import { lostEvents } from '../../runtime/lost-events.ts';
import type { Journal } from '../../runtime/ports.ts';
import { EventMerger } from '../../runtime/recording/event-merger.ts';
import { lineOf } from '../../runtime/recording/line-of.ts';
import { type DurableEvent, type EphemeralEvent, isDurable, type RunEvent } from '../../runtime/schema/event.ts';
import type { ChatLine } from '../../runtime/schema/recording.ts';
import type { LineWriter } from './line-writer.ts';
import type { PidLock } from './pid-lock.ts';
import { readRunEvents } from './read-recording-file.ts';
import { RunIndex } from './run-index.ts';

/** Bytes that may wait to be written before ephemeral events are dropped. */
const MOST_BACKLOG_BYTES = 16 * 1_048_576;

/** A recording that is being written. */
export interface Recording {
  /** The file, absolute. */
  readonly path: string;
  /** Takes an event of any run, in order. Returns at once and never throws: a failure is for `commit` to tell. */
  append(event: RunEvent): void;
  /** Takes a line that only a chat writes; as `append`. */
  appendLine(line: ChatLine): void;
  /**
   * Resolves when the bytes of what was appended are written: of the run's events up to `seq`, or of everything appended
   * so far where `seq` or `runId` is left out. After a failed write it rejects, now and ever after, with a
   * `SteerloopError` of code `journal_unavailable`; so does waiting for an event that was never appended.
   */
  commit(seq?: number, runId?: string): Promise<void>;
  /** The journal of one run, over this file. Its events may be appended here or there. */
  journalFor(runId: string): Journal;
  /**
   * Writes what waits, closes the file and frees the lock. Rejects with `journal_unavailable` when something that was
   * appended is lost. A second call gives the same promise. What was kept can still be read.
   */
  close(): Promise<void>;
}

/** A recording in a file that is open and locked; `openRecording` makes one. */
export class FileRecording implements Recording {
  readonly path: string;
  readonly #writer: LineWriter;
  readonly #lock: PidLock;
  readonly #merger = new EventMerger((event) => this.#write(event));
  readonly #runs = new Map<string, RunIndex>();
  #lost: { readonly first: EphemeralEvent; count: number } | undefined;
  #closing: Promise<void> | undefined;

  constructor(path: string, writer: LineWriter, lock: PidLock) {
    this.path = path;
    this.#writer = writer;
    this.#lock = lock;
  }

  append(event: RunEvent): void {
    if (!isDurable(event) && this.#writer.backlogBytes > MOST_BACKLOG_BYTES) {
      this.#lost ??= { first: event, count: 0 };
      this.#lost.count += 1;
      return;
    }
    this.#tellLost();
    this.#merger.push(event);
  }

  appendLine(line: ChatLine): void {
    this.#merger.flush();
    this.#writer.append(lineOf(line));
  }

  commit(seq?: number, runId?: string): Promise<void> {
    if (seq === undefined || runId === undefined) {
      this.#merger.flush();
      return this.#writer.kept();
    }
    const line = this.#runs.get(runId)?.lineToKeep(seq);
    return line === undefined ? Promise.reject(neverAppended(seq, runId)) : this.#writer.kept(line);
  }

  journalFor(runId: string): Journal {
    return {
      append: (event) => this.append(event),
      commit: (seq) => this.commit(seq, runId),
      read: (from) => this.#read(runId, from),
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  async #finish(): Promise<void> {
    this.#tellLost();
    this.#merger.flush();
    try {
      await this.#writer.close();
    } finally {
      this.#lock.release();
    }
  }

  #write(event: RunEvent): void {
    const offset = this.#writer.nextOffset;
    let text: string;
    try {
      text = lineOf(event);
    } catch (error) {
      // The loop makes events of JSON only. Should one slip through, a hole in the journal must not go unnoticed.
      if (isDurable(event)) this.#writer.fail(new Error(`event ${event.seq} is no JSON: ${describeError(error)}`, { cause: error }));
      return;
    }
    const line = this.#writer.append(text);
    if (isDurable(event)) this.#indexOf(event.run_id).note(event.seq, line, offset, this.#writer.keptLines);
  }

  async #read(runId: string, from: number): Promise<readonly DurableEvent[]> {
    await this.commit();
    const index = this.#indexOf(runId);
    const events = await readRunEvents(this.path, runId, from, index.offsetFor(from));
    index.noteRead(events.at(-1)?.seq ?? 0);
    return events;
  }

  #indexOf(runId: string): RunIndex {
    let index = this.#runs.get(runId);
    if (index === undefined) {
      index = new RunIndex();
      this.#runs.set(runId, index);
    }
    return index;
  }

  #tellLost(): void {
    const lost = this.#lost;
    if (lost === undefined) return;
    this.#lost = undefined;
    this.#merger.push(lostEvents(lost.first, lost.count));
  }
}

function neverAppended(seq: number, runId: string): SteerloopError {
  return new SteerloopError('journal_unavailable', `Event ${seq} of run ${runId} was never appended to the recording.`);
}
