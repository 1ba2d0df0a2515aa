/**
 * Exit codes: one table from how a run ended to what the shell sees. `run` and `replay` both fold the journal here, so a
 * recording gives the code that the live run gave. That a stop came from a signal stands in the journal as the reason
 * of the stop control (`SIGINT`, `SIGTERM`, `SIGHUP`, `SIGPIPE`).
 */
import type { DoneReason, RunEvent } from '../runtime/schema/event.ts';

/** Exit code of a command that was called wrongly. */
export const USAGE_EXIT_CODE = 2;

/** Exit code of a command that failed for another reason than a run's end. */
export const FAILURE_EXIT_CODE = 1;

/** Exit code by the reason of `done`. */
export const EXIT_CODES: Readonly<Record<DoneReason, number>> = {
  finished: 0,
  error: 1,
  crashed: 1,
  max_iterations: 3,
  timeout: 4,
  awaiting_human: 5,
  budget: 6,
  refused: 7,
  truncated: 7,
  empty: 7,
  stopped: 130,
};

/** Signals that stop a run at the command line, with the exit code that shells expect (128 and the signal's number). */
export const SIGNAL_EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGPIPE: 141 } as const;

/** A signal that stops a run. SIGPIPE: nobody reads stdout any more. */
export type StopSignal = keyof typeof SIGNAL_EXIT_CODES;

/** Follows the events of one run and knows the exit code when it is over. */
export class ExitCodeFold {
  #signal: StopSignal | undefined;
  #reason: DoneReason | undefined;

  /** Takes the next event of the run. */
  add(event: RunEvent): void {
    if (event.type === 'done') this.#reason = event.reason;
    if (event.type !== 'control_received' || event.control.type !== 'stop') return;
    // The first signal ends the run; a second one while it winds down changes nothing.
    if (isStopSignal(event.control.reason)) this.#signal ??= event.control.reason;
  }

  /** Whether the run has its `done`. */
  get isOver(): boolean {
    return this.#reason !== undefined;
  }

  /** The code; 1 while the run has no `done`. */
  get code(): number {
    if (this.#reason === undefined) return FAILURE_EXIT_CODE;
    if (this.#reason === 'stopped' && this.#signal !== undefined) return SIGNAL_EXIT_CODES[this.#signal];
    return EXIT_CODES[this.#reason];
  }
}

function isStopSignal(reason: string | undefined): reason is StopSignal {
  return reason !== undefined && Object.hasOwn(SIGNAL_EXIT_CODES, reason);
}
