/**
 * When a failed model call is made again, and after how long (L9).
 */
import { classOfStatus, describeError, ModelError, toErrorData } from '../errors.ts';
import type { ClassifyError, Random } from '../ports.ts';
import { DEFAULTS } from '../schema/config.ts';
import type { ErrorClass, ErrorData } from '../schema/error-data.ts';

/** Any error of a model call as a `ModelError`: by the hook's word, by its own, else by what it looks like. */
export function classifyModelError(error: unknown, hook: ClassifyError | undefined): ModelError {
  const named = askHook(error, hook);
  if (error instanceof ModelError) return named === undefined || named === error.errorClass ? error : reclassify(error, named);
  return new ModelError(named ?? guessClass(error), describeError(error), { cause: error, ...statusOf(error) });
}

function askHook(error: unknown, hook: ClassifyError | undefined): ErrorClass | undefined {
  try {
    return hook?.(error);
  } catch {
    // The hook's contract: a throw leaves it to the loop.
    return undefined;
  }
}

function reclassify(error: ModelError, errorClass: ErrorClass): ModelError {
  return new ModelError(errorClass, error.message, {
    cause: error,
    ...(error.status !== undefined && { status: error.status }),
    ...(error.retryAfterMs !== undefined && { retryAfterMs: error.retryAfterMs }),
  });
}

function statusOf(error: unknown): { status?: number } {
  return typeof error === 'object' && error !== null && 'status' in error && typeof error.status === 'number'
    ? { status: error.status }
    : {};
}

/** An error that says nothing about itself is taken for a fault of the request: trying it again would only hide it. */
function guessClass(error: unknown): ErrorClass {
  const { status } = statusOf(error);
  if (status !== undefined) return classOfStatus(status);
  if (error instanceof TypeError && /fetch|network|terminated/i.test(error.message)) return 'network';
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  if (/^(ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|UND_ERR)/.test(code)) return 'network';
  if (code === 'ETIMEDOUT' || (error instanceof Error && error.name === 'TimeoutError')) return 'timeout';
  return 'invalid_request';
}

/**
 * How long to wait before the next attempt, in milliseconds: what the provider asks, else exponential backoff with jitter.
 * Undefined: do not try again (the error says no, attempts are used up, or the provider asks for more than the cap).
 */
export function retryWait(error: ModelError, attempt: number, maxAttempts: number, random: Random): number | undefined {
  if (!error.retryable || attempt >= maxAttempts) return undefined;
  if (error.retryAfterMs !== undefined) return error.retryAfterMs <= DEFAULTS.retryAfterCapMs ? Math.max(0, error.retryAfterMs) : undefined;
  const longest = Math.min(DEFAULTS.backoffMostMs, DEFAULTS.backoffFirstMs * 2 ** (attempt - 1));
  return Math.round(longest * (0.5 + random.next() / 2));
}

/** The error of a call that is not made again, as data. A wait beyond the cap is in its sentence too, since that is what a person must know. */
export function finalError(error: ModelError): ErrorData {
  const data = toErrorData(error);
  const { retryAfterMs } = error;
  if (retryAfterMs === undefined || retryAfterMs <= DEFAULTS.retryAfterCapMs) return data;
  const [wait, cap] = [retryAfterMs, DEFAULTS.retryAfterCapMs].map((ms) => Math.ceil(ms / 1_000));
  return { ...data, message: `${data.message} (asked to wait ${wait} s; more than ${cap} s are not waited for)` };
}
