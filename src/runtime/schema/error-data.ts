/** Errors as data, the form in which they cross every border. */
import * as v from 'valibot';

/** Why a model call failed, by what can be done about it. `empty`: a reply with nothing in it. */
export const errorClassSchema = v.picklist([
  'rate_limit',
  'overloaded',
  'server',
  'network',
  'timeout',
  'auth',
  'invalid_request',
  'context_overflow',
  'empty',
]);

/** What went wrong: a stable code, a sentence for people, and what is known beside. */
export const errorDataSchema = v.object({
  code: v.string(),
  message: v.string(),
  retryable: v.optional(v.boolean()),
  /** HTTP status where there was one. */
  status: v.optional(v.number()),
  /** How long the provider asks to wait, in milliseconds. */
  retry_after_ms: v.optional(v.number()),
  cause: v.optional(v.string()),
});

/** Why a model call failed. */
export type ErrorClass = v.InferOutput<typeof errorClassSchema>;
/** An error as data. */
export type ErrorData = v.InferOutput<typeof errorDataSchema>;
