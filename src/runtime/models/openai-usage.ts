/** Token counts of Chat Completions in the runtime's own terms: input without cache, each token counted once. */
import { isJsonObject, type JsonObject } from '../schema/json.ts';
import type { Usage } from '../schema/usage.ts';

/** The usage that a chunk tells; undefined where it tells none. Never throws. */
export function openAiUsage(value: unknown): Usage | undefined {
  if (!isJsonObject(value)) return undefined;
  const prompt = count(value, 'prompt_tokens');
  const inDetail = part(value, 'prompt_tokens_details');
  const cacheRead = count(inDetail, 'cached_tokens') || count(value, 'prompt_cache_hit_tokens');
  const cacheWrite = count(inDetail, 'cache_write_tokens');
  return {
    input_tokens: Math.max(0, prompt - cacheRead - cacheWrite),
    output_tokens: outputOf(value, prompt),
    cache_read_tokens: cacheRead,
    cache_write_tokens: cacheWrite,
    complete: true,
  };
}

/** Reasoning is part of `completion_tokens`, but for servers (xAI) whose total only adds up with it on top. */
function outputOf(usage: JsonObject, prompt: number): number {
  const completion = count(usage, 'completion_tokens');
  const reasoning = count(part(usage, 'completion_tokens_details'), 'reasoning_tokens');
  return count(usage, 'total_tokens') === prompt + completion + reasoning ? completion + reasoning : completion;
}

function part(value: JsonObject, name: string): JsonObject {
  const inner = value[name];
  return isJsonObject(inner) ? inner : {};
}

function count(value: JsonObject, name: string): number {
  const number = value[name];
  return typeof number === 'number' && Number.isFinite(number) && number > 0 ? number : 0;
}
