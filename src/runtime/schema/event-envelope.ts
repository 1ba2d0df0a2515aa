/** What every event says of itself, whatever it tells. */
import * as v from 'valibot';

/** Fields of every event. */
export const eventEnvelope = {
  run_id: v.string(),
  /** Iteration in which it happened; 0 before the first. */
  iteration: v.number(),
  /** Milliseconds since the epoch. */
  time: v.number(),
  /** `host`: written for a thread that had died. Left out: by the loop itself. */
  origin: v.optional(v.picklist(['loop', 'host'])),
};
