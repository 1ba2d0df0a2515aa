/**
 * EventFeed: one stream of events, any number of readers, each at its own pace (L8). A reader that keeps up
 * is served from memory; one that starts late or falls behind reads durable events back from the journal and
 * loses only ephemeral ones, which it is told. Nobody needs to read.
 */
import { lostEvents } from './lost-events.ts';
import type { Clock, Journal } from './ports.ts';
import type { EventsOptions } from './run.ts';
import { type DurableEvent, isDurable, type RunEvent } from './schema/event.ts';

/** Events that wait for one reader before it counts as too slow. */
const READER_QUEUE = 1_024;

/** Durable events that the feed itself keeps, so that a reader who starts a little late needs no journal. */
const RECENT = 64;

/** Publishes the events of one run. */
export class EventFeed {
  readonly #journal: Pick<Journal, 'read'>;
  readonly #clock: Clock;
  readonly #runId: string;
  readonly #readers = new Set<Reader>();
  #recent: DurableEvent[] = [];
  #lastSeq = 0;
  #closed = false;

  constructor(runId: string, journal: Pick<Journal, 'read'>, clock: Clock) {
    this.#runId = runId;
    this.#journal = journal;
    this.#clock = clock;
  }

  /** Whether anybody is reading right now; ephemeral events need not be made otherwise. */
  get watched(): boolean {
    return this.#readers.size > 0;
  }

  /** Hands an event to all readers. Durable ones must be in the journal already. */
  push(event: RunEvent): void {
    if (isDurable(event)) this.#remember(event);
    for (const reader of this.#readers) reader.take(event);
  }

  /** Ends every reader once it has read what there is. */
  close(): void {
    this.#closed = true;
    for (const reader of this.#readers) reader.wake();
  }

  /** Events for one reader; see `Run.events`. */
  events(options: EventsOptions = {}): AsyncIterable<RunEvent> {
    const from = options.from ?? 'start';
    const source: ReaderSource = {
      lastSeq: () => this.#lastSeq,
      closed: () => this.#closed,
      read: (seq) => this.#journal.read(seq),
      lost: (count) => lostEvents({ run_id: this.#runId, iteration: 0, time: this.#clock.now() }, count),
      leave: (reader) => this.#readers.delete(reader),
    };
    return {
      [Symbol.asyncIterator]: () => {
        const next = from === 'now' ? this.#lastSeq + 1 : from === 'start' ? 1 : from;
        const reader = new Reader(source, next, this.#since(next));
        this.#readers.add(reader);
        return reader;
      },
    };
  }

  #remember(event: DurableEvent): void {
    this.#lastSeq = event.seq;
    this.#recent.push(event);
    if (this.#recent.length > 2 * RECENT) this.#recent = this.#recent.slice(-RECENT);
  }

  /** All durable events from `seq` on, if the feed still has them all. */
  #since(seq: number): RunEvent[] | undefined {
    if (seq > this.#lastSeq) return [];
    const first = this.#recent[0];
    return first !== undefined && first.seq <= seq ? this.#recent.filter((event) => event.seq >= seq) : undefined;
  }
}

interface ReaderSource {
  lastSeq(): number;
  closed(): boolean;
  read(from: number): Promise<readonly DurableEvent[]>;
  lost(count: number): RunEvent;
  leave(reader: Reader): void;
}

/** One reader: live while its queue suffices, else catching up from the journal. */
class Reader implements AsyncIterator<RunEvent> {
  readonly #source: ReaderSource;
  #queue: RunEvent[] = [];
  #head = 0;
  #lost = 0;
  /** Seq of the next durable event that is not in the queue yet. */
  #next: number;
  #live: boolean;
  #ended = false;
  #wake: (() => void) | undefined;

  constructor(source: ReaderSource, next: number, known: RunEvent[] | undefined) {
    this.#source = source;
    this.#live = known !== undefined;
    this.#queue = known ?? [];
    this.#next = known === undefined ? next : Math.max(next, source.lastSeq() + 1);
  }

  take(event: RunEvent): void {
    if (!this.#live) {
      if (!isDurable(event)) this.#lost += 1;
    } else if (isDurable(event)) {
      this.#takeDurable(event);
    } else if (!this.#merge(event)) {
      if (this.#waiting >= READER_QUEUE) this.#lost += 1;
      else this.#queue.push(event);
    }
    this.wake();
  }

  #takeDurable(event: DurableEvent): void {
    if (event.seq < this.#next) return;
    if (this.#waiting >= READER_QUEUE) {
      this.#fallBehind();
      return;
    }
    this.#next = event.seq + 1;
    this.#queue.push(event);
  }

  wake(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }

  async next(): Promise<IteratorResult<RunEvent>> {
    for (;;) {
      if (this.#ended) return { value: undefined, done: true };
      if (this.#lost > 0 && this.#live) return { value: this.#tellLost(), done: false };
      const event = this.#shift();
      if (event !== undefined) return { value: event, done: false };
      if (!this.#live) await this.#catchUp();
      else if (this.#source.closed()) await this.return();
      else await new Promise<void>((resolve) => (this.#wake = resolve));
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
    if (this.#waiting < 64 || last === undefined) return false;
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
    const events = await this.#source.read(this.#next);
    for (const event of events) {
      if (event.seq < this.#next) continue;
      this.#queue.push(event);
      this.#next = event.seq + 1;
    }
    // Nothing can have been published between this line and the read's answer being folded in.
    if (this.#next > this.#source.lastSeq()) this.#live = true;
    else if (events.length === 0) this.#next = this.#source.lastSeq() + 1;
  }
}
