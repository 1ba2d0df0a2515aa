/** The `status` that tells a reader how many ephemeral events it has lost, whoever had to drop them. */
import type { EphemeralEvent } from './schema/event.ts';

/** The event; `where` is what it shares with the events that were lost. */
export function lostEvents(where: Pick<EphemeralEvent, 'run_id' | 'iteration' | 'time'>, count: number): EphemeralEvent {
  const { run_id, iteration, time } = where;
  return { type: 'status', run_id, iteration, time, code: 'events_lost', lost_events: count };
}
