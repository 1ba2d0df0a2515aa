/** What a model call used, counted the same way for every provider. */
import * as v from 'valibot';

/**
 * Tokens of one call or of many. `input_tokens` excludes what the cache served or stored; the total is
 * the sum of all four. `complete: false`: the provider did not say everything (a cut or failed call).
 */
export const usageSchema = v.object({
  input_tokens: v.number(),
  output_tokens: v.number(),
  cache_read_tokens: v.number(),
  cache_write_tokens: v.number(),
  complete: v.boolean(),
});

/** Tokens used. */
export type Usage = v.InferOutput<typeof usageSchema>;

/** Nothing used. */
export const NO_USAGE: Usage = Object.freeze({
  input_tokens: 0,
  output_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  complete: true,
});

/** Sum of two usages; complete only when both are. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cache_read_tokens: a.cache_read_tokens + b.cache_read_tokens,
    cache_write_tokens: a.cache_write_tokens + b.cache_write_tokens,
    complete: a.complete && b.complete,
  };
}

/** All tokens of a usage: input, both cache parts, and output. */
export function totalTokens(usage: Usage): number {
  return usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens + usage.output_tokens;
}
