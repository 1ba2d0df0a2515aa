/**
 * DeltaBatch: ephemeral events on their way out of a thread (L8). One message for each turn of the event loop, or for a
 * few, in place of one for each piece of text, since posting costs more than the text; neighbouring texts are joined.
 * When the host reads too slowly the batch waits and grows, and past its cap events are dropped and counted.
 */
import { lostEvents } from '../runtime/lost-events.ts';
import { EventMerger } from '../runtime/recording/event-merger.ts';
import { type EphemeralEvent, isDurable, type RunEvent } from '../runtime/schema/event.ts';

/** Events that wait in one batch at most; joined texts count once. */
export const MOST_WAITING_EVENTS = 256;

/** Batches that may be under way without the host having read them. */
export const MOST_UNREAD_BATCHES = 64;

/** How often the host has to say how many batches it has read, in batches. */
export const BATCHES_A_RECEIPT = 16;

/** Least time between two batches, in milliseconds: a dense stream joins over several turns, and nobody sees the difference. */
export const LEAST_GAP_MS = 1;

/** After so many milliseconds without a turn of the event loop a batch leaves all the same. */
export const LATE_MS = 16;

/** What a batch needs from its thread. */
export interface DeltaBatchPorts {
  /** Sends one batch. Throws, and sends nothing, when it holds what cannot be cloned. */
  post(events: readonly EphemeralEvent[]): void;
  /** Calls back in the next turn of the event loop. */
  nextTurn(call: () => void): void;
  /** Calls back in about so many milliseconds. */
  later(call: () => void, ms: number): void;
  /** Milliseconds of any clock that only goes forward. */
  now(): number;
}

/** Collects ephemeral events and sends them in batches. */
export class DeltaBatch {
  readonly #ports: DeltaBatchPorts;
  readonly #merger = new EventMerger((event) => this.#add(event));
  #waiting: EphemeralEvent[] = [];
  #scheduled = false;
  #unsent = false;
  #posted = 0;
  #read = 0;
  #dropped = 0;
  #droppedInAll = 0;
  #lastSent = Number.NEGATIVE_INFINITY;

  constructor(ports: DeltaBatchPorts) {
    this.#ports = ports;
  }

  /** Takes an event; it leaves in the next turn at the latest, unless the host is behind. */
  push(event: EphemeralEvent): void {
    this.#unsent = true;
    this.#merger.push(event);
    this.#schedule();
  }

  /** Sends what waits, whether or not the host is behind: a durable event follows and must not overtake it. */
  flush(): void {
    this.#unsent = false;
    this.#merger.flush();
    this.#send();
  }

  /** Sends what has waited long: for a loop that leaves the event loop no turn. */
  flushLate(): void {
    if (this.#unsent && !this.#hostIsBehind && this.#ports.now() - this.#lastSent >= LATE_MS) this.flush();
  }

  /** The host has read so many batches of this run. */
  hasRead(batches: number): void {
    this.#read = batches;
    if (this.#unsent) this.#schedule();
  }

  /** Events that were dropped since the beginning. */
  get droppedInAll(): number {
    return this.#droppedInAll;
  }

  get #hostIsBehind(): boolean {
    return this.#posted - this.#read >= MOST_UNREAD_BATCHES;
  }

  #schedule(): void {
    if (this.#scheduled || this.#hostIsBehind) return;
    this.#scheduled = true;
    const leave = (): void => {
      this.#scheduled = false;
      if (!this.#hostIsBehind) this.flush();
    };
    if (this.#ports.now() - this.#lastSent < LEAST_GAP_MS) this.#ports.later(leave, LEAST_GAP_MS);
    else this.#ports.nextTurn(leave);
  }

  #add(event: RunEvent): void {
    if (isDurable(event)) return;
    const full = this.#waiting.length >= MOST_WAITING_EVENTS;
    if (full && this.#hostIsBehind) {
      this.#dropped += 1;
      this.#droppedInAll += 1;
      return;
    }
    if (full) this.#send();
    this.#waiting.push(event);
  }

  #send(): void {
    const events = this.#waiting;
    const last = events.at(-1);
    if (last === undefined) return;
    if (this.#dropped > 0) events.push(lostEvents(last, this.#dropped));
    this.#dropped = 0;
    this.#waiting = [];
    this.#posted += 1;
    this.#lastSent = this.#ports.now();
    try {
      this.#ports.post(events);
    } catch {
      const kept = events.filter(isCloneable);
      this.#droppedInAll += events.length - kept.length;
      this.#ports.post([...kept, lostEvents(last, events.length - kept.length)]);
    }
  }
}

/** A tool may emit what cannot be sent, a function say: that event is lost, and not the others of its batch. */
function isCloneable(event: EphemeralEvent): boolean {
  try {
    structuredClone(event);
    return true;
  } catch {
    return false;
  }
}
