/**
 * EventReader: one reader of a feed, at its own pace (L8). Its queue is bounded: past the bound it forgets what waits, reads durable
 * events back from the journal, and is told how many ephemeral ones it has lost. A durable event that the journal does not give
 * back ends it with an error: it is never passed over.
 */
import { describeError, SteerloopError } from './errors.ts';
import { type DurableEvent, isDurable, type RunEvent } from './schema/event.ts';

/** Events that wait for a reader before it counts as too slow. */
const MOST_WAITING = 1_024;

/** Events that wait before neighbouring texts are joined. */
const LONG_QUEUE = 64;

/** What a reader needs of the feed that it reads. */
export interface ReaderSource {
  /** Seq of the last durable event that was published. */
  lastSeq(): number;
  /** Whether nothing more will be published. */
  closed(): boolean;
  /** Durable events from a seq on, from the journal. A rejection ends the reader. */
  read(from: number): Promise<readonly DurableEvent[]>;
  /** The event that tells how many were lost. */
  lost(count: number): RunEvent;
  /** The reader is gone. */
  leave(reader: EventReader): void;
}

/** One reader: live while its queue suffices, else catching up from the journal. */
export class EventReader implements AsyncIterator<RunEvent> {
  readonly #source: ReaderSource;
  #queue: RunEvent[] = [];
  #head = 0;
  #lost = 0;
  /** Seq of the next durable event that is not in the queue yet. */
  #next: number;
  #live: boolean;
  #ended = false;
  /** Whoever waits; more than one where `next` is called again before it has answered. */
  #wakes: (() => void)[] = [];

  constructor(source: ReaderSource, next: number, known: RunEvent[] | undefined) {
    this.#source = source;
    this.#live = known !== undefined;
    this.#queue = known ?? [];
    // The first event is 1, whatever was asked for: an answer that begins with it has no hole.
    this.#next = known === undefined ? Math.max(1, Math.ceil(next)) : Math.max(next, source.lastSeq() + 1);
  }

  /** Takes the next event that is published. */
  take(event: RunEvent): void {
    if (!this.#live) {
      if (!isDurable(event)) this.#lost += 1;
    } else if (isDurable(event)) {
      this.#takeDurable(event);
    } else if (!this.#merge(event)) {
      if (this.#waiting >= MOST_WAITING) this.#lost += 1;
      else this.#queue.push(event);
    }
    this.wake();
  }

  #takeDurable(event: DurableEvent): void {
    if (event.seq < this.#next) return;
    if (this.#waiting >= MOST_WAITING) {
      this.#fallBehind();
      return;
    }
    this.#next = event.seq + 1;
    this.#queue.push(event);
  }

  /** Lets a wait for the next event look again. */
  wake(): void {
    if (this.#wakes.length === 0) return;
    for (const wake of this.#wakes.splice(0)) wake();
  }

  /** The next event. Rejects with a `SteerloopError` `journal_unavailable` where the journal does not give it back, and is over then. */
  async next(): Promise<IteratorResult<RunEvent>> {
    for (;;) {
      if (this.#ended) return { value: undefined, done: true };
      if (this.#lost > 0 && this.#live) return { value: this.#tellLost(), done: false };
      const event = this.#shift();
      if (event !== undefined) return { value: event, done: false };
      if (!this.#live) await this.#catchUp();
      else if (this.#source.closed()) await this.return();
      else await new Promise<void>((resolve) => this.#wakes.push(resolve));
    }
  }

  return(): Promise<IteratorResult<RunEvent>> {
    this.#ended = true;
    this.#queue = [];
    this.#source.leave(this);
    this.wake();
    return Promise.resolve({ value: undefined, done: true });
  }

  get #waiting(): number {
    return this.#queue.length - this.#head;
  }

  #shift(): RunEvent | undefined {
    const event = this.#queue[this.#head];
    if (event === undefined) return undefined;
    this.#head += 1;
    if (this.#head === this.#queue.length) {
      this.#queue = [];
      this.#head = 0;
    }
    return event;
  }

  /** Text that waits anyway may as well wait in one piece. */
  #merge(event: RunEvent): boolean {
    const last = this.#queue.at(-1);
    if (this.#waiting < LONG_QUEUE || last === undefined) return false;
    if (last.type !== 'text_delta' && last.type !== 'thinking_delta') return false;
    if (event.type !== last.type || event.iteration !== last.iteration || event.attempt !== last.attempt) return false;
    this.#queue[this.#queue.length - 1] = { ...last, text: last.text + event.text };
    return true;
  }

  #fallBehind(): void {
    const waiting = this.#queue.slice(this.#head);
    const durable = waiting.filter(isDurable);
    this.#lost += waiting.length - durable.length;
    this.#next = durable[0]?.seq ?? this.#next;
    this.#queue = [];
    this.#head = 0;
    this.#live = false;
  }

  #tellLost(): RunEvent {
    const lost = this.#source.lost(this.#lost);
    this.#lost = 0;
    return lost;
  }

  async #catchUp(): Promise<void> {
    const from = this.#next;
    const events = await this.#readFrom(from);
    if (this.#ended) return;
    for (const event of events) {
      if (event.seq < this.#next) continue;
      // A hole: what stands before it is read, the next look ends the reader.
      if (event.seq > this.#next) break;
      this.#queue.push(event);
      this.#next = event.seq + 1;
    }
    // Nothing can have been published between this line and the read's answer being folded in.
    if (this.#next > this.#source.lastSeq()) this.#live = true;
    else if (this.#next === from) throw this.#unreadable('the journal does not have it');
  }

  async #readFrom(seq: number): Promise<readonly DurableEvent[]> {
    try {
      return await this.#source.read(seq);
    } catch (error) {
      if (this.#ended) return [];
      throw this.#unreadable(describeError(error), error);
    }
  }

  /** Ends the reader too: nobody else does when `next` rejects. */
  #unreadable(why: string, cause?: unknown): SteerloopError {
    void this.return();
    const subject = `Event ${this.#next} cannot be read back from the journal`;
    const message = `${subject}: ${why}. Check where it is kept, or read the events from a later seq on.`;
    return new SteerloopError('journal_unavailable', message, { cause });
  }
}
