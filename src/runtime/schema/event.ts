/**
 * Events: data that tells what happened, each a fact in the order in which it became true. Durable ones carry `seq` and are the
 * journal; ephemeral ones carry none.
 */
import type { DurableEvent } from './durable-event.ts';
import type { EphemeralEvent } from './ephemeral-event.ts';

export { type DoneReason, type DurableEvent, durableEventSchema, type Limit } from './durable-event.ts';
export { type EphemeralEvent, ephemeralEventSchema } from './ephemeral-event.ts';

/** Any event of a run. */
export type RunEvent = DurableEvent | EphemeralEvent;
/** A durable event of one type. */
export type DurableEventOf<T extends DurableEvent['type']> = Extract<DurableEvent, { type: T }>;
/** The end of a run. */
export type DoneEvent = DurableEventOf<'done'>;

/** What the loop says of an event before it is stamped with run, iteration, time and seq. */
export type Unstamped<E> = E extends unknown ? Omit<E, 'run_id' | 'iteration' | 'time' | 'seq' | 'origin'> : never;

/** Tells the journal's events from the others. */
export function isDurable(event: RunEvent): event is DurableEvent {
  return 'seq' in event && event.seq !== undefined;
}
