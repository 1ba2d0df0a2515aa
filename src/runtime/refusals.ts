/** Why a control is not accepted: the same reasons and sentences whether its run lives in this thread, in another one or only in a recording. */
import type { Acceptance } from './run.ts';
import { DEFAULTS } from './schema/config.ts';

/** A reason that programs know, and the reason in a sentence. */
export interface Refusal {
  readonly reason: string;
  readonly message: string;
}

/** The run has ended, or is ending. */
export const RUN_OVER: Refusal = { reason: 'run_over', message: 'The run is over.' };

/** As many controls wait as may. */
export const QUEUE_FULL: Refusal = {
  reason: 'queue_full',
  message: `${DEFAULTS.queueLength} controls wait already; send this one again later.`,
};

/** The id was sent before, with other content. */
export function idReused(id: string): Refusal {
  return { reason: 'id_reused', message: `The id ${id} stands for another control of this run; take a new one.` };
}

/** The control acts, and the journal that should hold it cannot be written. */
export const NOT_KEPT: Acceptance = {
  ok: false,
  reason: 'journal_unavailable',
  message: 'The journal could not keep the control; it still acts.',
};
