/**
 * How a run ends whose thread is gone without having said so: what is known of the thread's end, made into the honest
 * reason and an error that names the limit, the exit code or the error (L8).
 */
import type { Ending } from '../runtime/ending.ts';
import { codeOf, describeError, startFailed } from '../runtime/errors.ts';
import type { ErrorData } from '../runtime/schema/error-data.ts';
import type { Verdict } from './vital-signs.ts';

/** How a thread came to its end, as far as its pool can tell. `ended`: the host did it. */
export type Departure =
  | { readonly kind: 'ended' }
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'failed'; readonly error: unknown };

/** What the host knows beside. */
export interface Circumstances {
  /** Why the host ended the thread, when it did. */
  readonly verdict: Verdict | undefined;
  /** What the host found wrong with the thread's messages. */
  readonly channelError: unknown;
  /** What the thread said before its first event: why the run could not begin. */
  readonly startFailure: ErrorData | undefined;
  /** Whether there has been an event. */
  readonly begun: boolean;
  readonly heapMb: number | undefined;
  readonly pingMs: number;
}

/** The ending that the host writes. */
export function endingOf(departure: Departure, known: Circumstances): Ending {
  if (known.verdict === 'stopped') return { reason: 'stopped' };
  if (known.startFailure !== undefined) return { reason: 'error', error: known.startFailure };
  if (known.verdict === 'timeout' && !known.begun) return { reason: 'timeout', error: NOT_LOADED };
  const error = known.channelError === undefined ? causeOf(departure, known) : channelFailure(known.channelError);
  if (known.verdict === 'timeout') return { reason: 'timeout', error };
  if (!known.begun) return { reason: 'error', error: startFailed(error) };
  return { reason: 'crashed', error };
}

const NOT_LOADED: ErrorData = {
  code: 'start_failed',
  message: 'The time limit passed before the run could begin: its agent had not loaded.',
};

function causeOf(departure: Departure, { verdict, heapMb, pingMs }: Circumstances): ErrorData {
  if (verdict === 'timeout') {
    return { code: 'unresponsive', message: 'The time limit passed while the thread did not answer, so the host ended it.' };
  }
  if (verdict === 'unresponsive') {
    return {
      code: 'unresponsive',
      message: `The thread did not answer for ${pingMs} ms, so the host ended it: a tool blocks it, or loops without end.`,
    };
  }
  if (departure.kind === 'failed') return failureOf(departure.error, heapMb);
  const how = departure.kind === 'exited' ? `called process.exit(${departure.code})` : 'was ended';
  return { code: 'thread_exited', message: `The thread ${how} before the run was over.` };
}

function failureOf(error: unknown, heapMb: number | undefined): ErrorData {
  if (codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY') {
    const limit = heapMb === undefined ? 'its heap limit' : `its heap limit of ${heapMb} MB`;
    return { code: 'out_of_memory', message: `The thread reached ${limit}. Allow it more with heapMb, or let the tool hold less.` };
  }
  return { code: 'thread_failed', message: `An error that nothing caught ended the thread: ${describeError(error)}`, cause: kindOf(error) };
}

function channelFailure(error: unknown): ErrorData {
  return { code: codeOf(error) ?? 'channel_error', message: describeError(error) };
}

/** Name and code of an error, since its message alone does not say what kind it was. */
function kindOf(error: unknown): string {
  const name = error instanceof Error ? error.name : typeof error;
  const code = codeOf(error);
  return code === undefined ? name : `${name} ${code}`;
}
