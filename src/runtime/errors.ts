/**
 * Every error the runtime throws. The class says what happens next: a `ConfigError` must be fixed by whoever
 * calls, before a run can start; a `ModelError` is a failed model call, retried or not by its class; a
 * `ToolError` becomes a tool result that the model can act on. What crosses a border is `ErrorData`.
 */
import type { ErrorClass, ErrorData } from './schema/error-data.ts';

/** Base of all errors of steerloop: a stable `code`, and the cause kept. */
export class SteerloopError extends Error {
  override readonly name: string = 'SteerloopError';
  readonly code: string;

  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** What a programmer or user must fix before a run can start. The sentence names the thing, what was expected, and what to do. */
export class ConfigError extends SteerloopError {
  override readonly name = 'ConfigError';
}

/** Facts of a failed model call. */
export interface ModelErrorFacts {
  /** HTTP status. */
  readonly status?: number;
  /** How long the provider asks to wait, in milliseconds. */
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

const RETRYABLE: ReadonlySet<ErrorClass> = new Set(['rate_limit', 'overloaded', 'server', 'network', 'timeout', 'empty']);

/** A failed model call. Its class decides whether it is made again. */
export class ModelError extends SteerloopError {
  override readonly name = 'ModelError';
  readonly errorClass: ErrorClass;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(errorClass: ErrorClass, message: string, facts: ModelErrorFacts = {}) {
    super(`model_${errorClass}`, message, { cause: facts.cause });
    this.errorClass = errorClass;
    this.status = facts.status;
    this.retryAfterMs = facts.retryAfterMs;
  }

  /** Whether another attempt may help. */
  get retryable(): boolean {
    return RETRYABLE.has(this.errorClass);
  }
}

/** The class of an HTTP status. Source: RFC 9110, section 15, and 529 as Anthropic uses it. */
export function classOfStatus(status: number): ErrorClass {
  if (status === 429) return 'rate_limit';
  if (status === 529 || status === 503) return 'overloaded';
  if (status === 401 || status === 403) return 'auth';
  if (status === 408 || status === 504) return 'timeout';
  if (status >= 500 || status === 409) return 'server';
  return 'invalid_request';
}

/** A tool's own failure, with a message meant for the model. */
export class ToolError extends SteerloopError {
  override readonly name = 'ToolError';

  constructor(message: string, options?: { code?: string; cause?: unknown }) {
    super(options?.code ?? 'tool_error', message, options);
  }
}

/** The text of anything that was thrown, never empty. */
export function describeError(error: unknown): string {
  try {
    if (error instanceof Error) return error.message || error.name;
    if (typeof error === 'string') return error || 'an empty text was thrown';
    return String(error);
  } catch {
    // A getter or toString that throws must not hide that something failed.
    return 'an error that cannot be shown';
  }
}

/** The code that a platform or a package gave an error (`ENOENT`, `ERR_...`); undefined where there is none. */
export function codeOf(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The code of an error that has none. */
const UNNAMED_ERROR = 'error';

/** An error as data, fit to cross a border. `code` is for an error that has none of its own. */
export function toErrorData(error: unknown, code = UNNAMED_ERROR): ErrorData {
  if (error instanceof ModelError) {
    return {
      code: error.code,
      message: error.message,
      retryable: error.retryable,
      ...(error.status !== undefined && { status: error.status }),
      ...(error.retryAfterMs !== undefined && { retry_after_ms: error.retryAfterMs }),
      ...(error.cause !== undefined && { cause: describeError(error.cause) }),
    };
  }
  return {
    code: error instanceof SteerloopError ? error.code : code,
    message: describeError(error),
    ...(error instanceof Error && error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}

/**
 * What ends a run that has a journal or a thread but could not begin: one code, `start_failed`, for all of it, and the particular
 * code as the `cause`. The message and what else is known stay as they are. An error without a code of its own keeps its cause.
 */
export function startFailed(error: ErrorData): ErrorData {
  return { ...error, code: 'start_failed', ...(error.code !== UNNAMED_ERROR && { cause: error.code }) };
}
