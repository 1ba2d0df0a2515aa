/**
 * EventFeed: one stream of events, any number of readers, each at its own pace (L8). A reader that keeps up
 * is served from memory; one that starts late or falls behind reads durable events back from the journal and
 * loses only ephemeral ones, which it is told. Nobody needs to read.
 */
import { EventReader, type ReaderSource } from './event-reader.ts';
import { lostEvents } from './lost-events.ts';
import type { Clock, Journal } from './ports.ts';
import type { EventsOptions } from './run.ts';
import { type DurableEvent, isDurable, type RunEvent } from './schema/event.ts';

/** Durable events that the feed itself keeps, so that a reader who starts a little late needs no journal. */
const RECENT = 64;

/** Publishes the events of one run. */
export class EventFeed {
  readonly #journal: Pick<Journal, 'read'>;
  readonly #clock: Clock;
  readonly #runId: string;
  readonly #readers = new Set<EventReader>();
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
        const reader = new EventReader(source, next, this.#since(next));
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
