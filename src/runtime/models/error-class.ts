/** The class of a provider's error, by its own names for it, its HTTP status and the texts that providers use for a full context. */
import { classOfStatus } from '../errors.ts';
import type { ErrorClass } from '../schema/error-data.ts';
import type { ErrorBody } from './error-body.ts';

/** Names that say more than the status they come with. */
const EXACT: ReadonlyMap<string, ErrorClass> = new Map([
  ['overloaded_error', 'overloaded'],
  ['context_length_exceeded', 'context_overflow'],
  ['exceed_context_size_error', 'context_overflow'],
  ['request_too_large', 'context_overflow'],
  // A 429 that no wait will cure: the account has no money left.
  ['insufficient_quota', 'auth'],
  ['billing_error', 'auth'],
]);

/** Names that count where there is no status: an error event inside a stream has none. */
const WITHOUT_STATUS: ReadonlyMap<string, ErrorClass> = new Map([
  ['rate_limit_error', 'rate_limit'],
  ['rate_limit_exceeded', 'rate_limit'],
  ['RESOURCE_EXHAUSTED', 'rate_limit'],
  ['timeout_error', 'timeout'],
  ['authentication_error', 'auth'],
  ['permission_error', 'auth'],
  ['invalid_api_key', 'auth'],
  ['invalid_request_error', 'invalid_request'],
  ['not_found_error', 'invalid_request'],
]);

/** How providers and local servers say that the conversation does not fit any more. */
const FULL_CONTEXT =
  /prompt is too long|(input|prompt)[^.]{0,60} too long|maximum context length|maximum prompt length|exceed[^.]{0,80}context[ _-]?(length|window|size|limit)|context[ _-]?(length|window|size|limit)[^.]{0,80}exceed|input token count[^.]{0,60}exceed|reduce the length of (the|your) (messages|prompt|input)|exceeded model token limit|request too large/i;

/** The class of an error that a provider answered with, or sent inside a stream (then without status). */
export function classOfError(body: ErrorBody, status: number | undefined): ErrorClass {
  if (FULL_CONTEXT.test(body.message)) return 'context_overflow';
  const exact = firstOf(EXACT, body.names);
  if (exact !== undefined) return exact;
  const known = status ?? body.status;
  if (known === 413) return 'context_overflow';
  if (known === 402) return 'auth';
  if (known !== undefined) return classOfStatus(known);
  return firstOf(WITHOUT_STATUS, body.names) ?? 'server';
}

function firstOf(classes: ReadonlyMap<string, ErrorClass>, names: readonly string[]): ErrorClass | undefined {
  for (const name of names) if (classes.has(name)) return classes.get(name);
  return undefined;
}
