/**
 * Errors of a provider, its SDK or the network as a `ModelError`: its class says whether another attempt may help, its
 * sentence what happened. No key and no Authorization value is in any of its texts, its cause included (L10).
 */
import { codeOf, describeError, ModelError } from '../errors.ts';
import { Redactor } from '../redactor.ts';
import type { ErrorClass } from '../schema/error-data.ts';
import { readErrorBody } from './error-body.ts';
import { classOfError } from './error-class.ts';
import { retryAfterMs } from './retry-after.ts';

/** What is known beside the error. */
export interface ErrorContext {
  readonly provider: string;
  /** Where the key comes from, to be named when the provider refuses it. */
  readonly keyName: string;
  /** Keys, and headers of the request that may hold one. */
  readonly secrets: readonly string[];
  /** Milliseconds since the epoch; only asked when an answer without a date says when to come again. */
  readonly now: () => number;
  /** Whether the request had left when the error came. */
  readonly sent: boolean;
  /** Text of the answer's body, where the provider answered with an error. */
  readonly errorText?: string | undefined;
}

/** Header values that may hold a key, whole and by word: `Bearer x` is a secret, and so is `x`. */
export function secretHeaders(headers: Readonly<Record<string, string>> = {}): readonly string[] {
  const secret = Object.entries(headers).filter(([name]) => /auth|key|token|secret|cookie/i.test(name));
  return secret.flatMap(([, value]) => [value, ...value.split(/\s+/)]);
}

/** Any error of a provider's call as a `ModelError`; one that is a `ModelError` already, or caused by one, is kept. */
export function toModelError(error: unknown, context: ErrorContext): ModelError {
  const chain = causesOf(error);
  const own = chain.find((cause) => cause instanceof ModelError);
  if (own instanceof ModelError) return own;
  if (isApiError(error)) return answeredError(error, context);
  const { provider, sent } = context;
  if (!sent) return modelError('invalid_request', `The request to ${provider} could not be made: ${describeError(error)}`, error, context);
  if (error instanceof SyntaxError)
    return modelError('network', `The stream of ${provider} cannot be read: ${error.message}`, error, context);
  return connectionError(chain, context);
}

/** A `ModelError` for an answer with status 200 that is no stream at all, by its content type and its text. */
export function noStreamError(contentType: string, text: string, context: ErrorContext): ModelError {
  const body = readErrorBody(new Redactor(context.secrets).text(text));
  // JSON that names an error is that error; anything else is a server, or a proxy, that is not what it should be.
  const errorClass = /json/i.test(contentType) ? classOfError(body, undefined) : 'server';
  return new ModelError(errorClass, `${context.provider} answered with ${contentType} instead of an event stream: ${body.message}`);
}

/** An error that the provider itself sent; its headers make the difference to one that the SDK made up. */
interface ApiError extends Error {
  readonly status: number | undefined;
  readonly headers: Headers;
  readonly error: unknown;
}

function isApiError(error: unknown): error is ApiError {
  if (!(error instanceof Error) || !('status' in error) || !('headers' in error)) return false;
  return typeof error.headers === 'object' && error.headers !== null && 'get' in error.headers;
}

function answeredError(error: ApiError, context: ErrorContext): ModelError {
  const said = error.status === undefined ? error.error : (context.errorText ?? error.error);
  // Before the text is cut: half a key would not be found any more.
  const body = readErrorBody(new Redactor(context.secrets).value(said));
  const errorClass = classOfError(body, error.status);
  const name = body.names.length === 0 ? '' : ` (${body.names.join(', ')})`;
  const how =
    error.status === undefined ? `${context.provider} broke its reply off with an error` : `${context.provider} answered ${error.status}`;
  const wait = retryAfterMs(error.headers, context.now);
  return modelError(errorClass, `${how}${name}: ${advised(body.message, advice(error.status, context))}`, error, context, {
    ...(error.status !== undefined && { status: error.status }),
    ...(wait !== undefined && { retryAfterMs: wait }),
  });
}

function advice(status: number | undefined, context: ErrorContext): string {
  if (status === 401 || status === 403) return `Check the key in ${context.keyName}.`;
  return status === 404 ? 'Check the name of the model and the base URL.' : '';
}

/** What the provider said, and behind it, as a sentence of its own, what to do. */
function advised(message: string, what: string): string {
  if (what === '') return message;
  return /[.!?]\s*$/.test(message) ? `${message.trimEnd()} ${what}` : `${message.trimEnd()}. ${what}`;
}

function connectionError(chain: readonly unknown[], context: ErrorContext): ModelError {
  const codes = chain.map(codeOf).filter((code) => code !== undefined);
  const timeout = chain.some(isTimeout) || codes.some((code) => /TIMEOUT|ETIMEDOUT/.test(code));
  const last = chain.at(-1);
  const what = [describeError(last), ...codes.filter((code) => !describeError(last).includes(code))].join(', ');
  return timeout
    ? modelError('timeout', `${context.provider} did not answer in time: ${what}`, chain[0], context)
    : modelError('network', `The connection to ${context.provider} failed: ${what}`, chain[0], context);
}

function modelError(
  errorClass: ErrorClass,
  message: string,
  cause: unknown,
  context: ErrorContext,
  facts: { status?: number; retryAfterMs?: number } = {},
): ModelError {
  const redactor = new Redactor(context.secrets);
  const clean = !causesOf(cause).some((error) => redactor.finds(allTextOf(error)));
  return new ModelError(errorClass, redactor.text(message), {
    ...facts,
    cause: clean ? cause : new Error(redactor.text(describeError(cause))),
  });
}

/** Everything of an error that a log could show. */
function allTextOf(error: unknown): string {
  const body = isApiError(error) ? JSON.stringify(error.error) : '';
  return error instanceof Error ? `${error.message}\n${error.stack}\n${body}` : describeError(error);
}

/** The error and what caused it, the outermost first; bounded, since a cause may point back. */
function causesOf(error: unknown): readonly unknown[] {
  const chain: unknown[] = [error];
  let inner = error;
  while (chain.length < 8 && inner instanceof Error && inner.cause !== undefined) {
    inner = inner.cause;
    chain.push(inner);
  }
  return chain;
}

/** The SDKs tell a timeout by the class of the error, and both by this sentence. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && (error.name === 'TimeoutError' || /^(request )?timed? ?out/i.test(error.message));
}
