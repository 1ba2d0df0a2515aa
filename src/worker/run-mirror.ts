/**
 * RunMirror: what a host holds of a run whose loop lives in a thread (L4, L8): the journal it writes for the thread, the
 * fold, the feed for readers, and the receipts. A thread hears that an event is kept only after the journal's commit. When
 * the thread is gone without `done`, the end is written here; there is never a second author at the same time.
 */
import { type Ending, hostTail } from '../runtime/ending.ts';
import { SteerloopError, toErrorData } from '../runtime/errors.ts';
import { EventFeed } from '../runtime/event-feed.ts';
import type { Clock, Journal } from '../runtime/ports.ts';
import { ReceiptBook } from '../runtime/receipt-book.ts';
import { NOT_KEPT } from '../runtime/refusals.ts';
import type { RunResult } from '../runtime/run.ts';
import { runResult } from '../runtime/run-handle.ts';
import type { ErrorData } from '../runtime/schema/error-data.ts';
import type { DurableEvent, EphemeralEvent, RunEvent } from '../runtime/schema/event.ts';
import { applyEvent } from '../runtime/state/apply-event.ts';
import { initialState, type RunState } from '../runtime/state/run-state.ts';

/** What a mirror is made with. */
export interface RunMirrorParts {
  readonly runId: string;
  readonly journal: Journal;
  /** Takes ephemeral events too, where something keeps them. */
  readonly keep?: (event: EphemeralEvent) => void;
  readonly clock: Clock;
  /** Sees every event, behind the journal. A throw is swallowed. */
  readonly onEvent?: (event: RunEvent) => unknown;
  /** Everything up to `seq` is kept, or, with an error, nothing can be kept any more. */
  readonly acknowledge: (seq: number, error?: ErrorData) => void;
}

/** The host's copy of one run. */
export class RunMirror {
  readonly feed: EventFeed;
  readonly receipts = new ReceiptBook();
  /** Resolves when `done` was kept, or could not be; never rejects. */
  readonly result: Promise<RunResult>;
  /** The fold of all events so far. */
  state: RunState;
  readonly #parts: RunMirrorParts;
  /** Controls whose acceptance or fate stands in events that are not kept yet. */
  #unkept: DurableEvent[] = [];
  #committing = false;
  #failure: ErrorData | undefined;
  #resolve: (result: RunResult) => void = () => {};

  constructor(parts: RunMirrorParts) {
    this.#parts = parts;
    this.state = initialState(parts.runId);
    this.feed = new EventFeed(parts.runId, parts.journal, parts.clock);
    this.result = new Promise((resolve) => (this.#resolve = resolve));
  }

  /** Takes the next event of the thread. Throws a `SteerloopError` `channel_error` for one that is not the next of this run. */
  take(event: DurableEvent): void {
    const { run_id: runId, seq, done } = this.state;
    if (event.run_id !== runId || event.seq !== seq + 1 || done !== undefined) {
      throw new SteerloopError(
        'channel_error',
        `Expected event ${seq + 1} of run ${runId}, and event ${event.seq} of run ${event.run_id} came.`,
      );
    }
    this.#write(event);
  }

  /** Shows ephemeral events of the thread. */
  show(events: readonly EphemeralEvent[]): void {
    for (const event of events) {
      this.#parts.keep?.(event);
      this.#publish(event);
    }
  }

  /** Writes the end of a run whose thread is gone: the fates that are missing, and `done`. Nothing when there is a `done`. */
  end(ending: Ending): void {
    for (const event of hostTail(this.state, ending, this.#parts.clock.now())) this.#write(event);
  }

  #write(event: DurableEvent): void {
    this.#parts.journal.append(event);
    this.state = applyEvent(this.state, event);
    this.#publish(event);
    if (event.type === 'done') this.feed.close();
    if (event.type === 'control_received' || event.type === 'control_applied') this.#unkept.push(event);
    void this.#commit();
  }

  #publish(event: RunEvent): void {
    this.feed.push(event);
    try {
      this.#parts.onEvent?.(event);
    } catch {
      // A listener is a guest: what it throws is no event of the run, and nobody here could answer it.
    }
  }

  /** One commit at a time, each for all that has come meanwhile. */
  async #commit(): Promise<void> {
    if (this.#committing) return;
    this.#committing = true;
    for (let kept = 0; kept < this.state.seq; ) {
      kept = this.state.seq;
      await this.#commitUpTo(kept);
    }
    this.#committing = false;
  }

  async #commitUpTo(seq: number): Promise<void> {
    try {
      await this.#parts.journal.commit(seq);
    } catch (error) {
      this.#failure ??= toErrorData(error, 'journal_unavailable');
    }
    this.#tellControls(seq);
    this.#parts.acknowledge(this.#failure === undefined ? seq : 0, this.#failure);
    const { done } = this.state;
    if (done === undefined || done.seq > seq) return;
    this.receipts.closeAll(done.reason === 'crashed' ? 'crashed' : 'run_over');
    this.#resolve(runResult(this.state, done));
  }

  #tellControls(seq: number): void {
    const kept = this.#unkept.filter((event) => event.seq <= seq);
    this.#unkept = this.#unkept.filter((event) => event.seq > seq);
    for (const event of kept) {
      if (event.type === 'control_received') this.receipts.accept(event.control_id, this.#failure === undefined ? { ok: true } : NOT_KEPT);
      if (event.type === 'control_applied') this.receipts.settle(event.control_id, event.fate);
    }
  }
}
