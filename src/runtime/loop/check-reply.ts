/**
 * What a model handed over, looked at before the loop relies on it: `Model` is a public port, and the code behind it
 * anybody's. By hand and not by a schema, since it runs in every turn, where a schema would cost more than the turn.
 */
import { ModelError } from '../errors.ts';
import type { ModelChunk, ModelReply } from '../ports.ts';
import { isJsonObject, type JsonObject } from '../schema/json.ts';
import { stopReasonSchema } from '../schema/model-request.ts';
import { NO_USAGE } from '../schema/usage.ts';

const STOP_REASONS: ReadonlySet<unknown> = new Set(stopReasonSchema.options);
const TOKEN_COUNTS = (Object.keys(NO_USAGE) as (keyof typeof NO_USAGE)[]).filter((name) => name !== 'complete');

/**
 * The reply, when it is one. Throws a `ModelError` that names the place and what was expected; of a class that is not tried
 * again, since it is the model's code that is wrong.
 */
export function checkedReply(reply: unknown): ModelReply {
  refuse(isJsonObject(reply) ? replyProblem(reply) : 'expected an object with content, stop_reason and usage');
  return reply as ModelReply;
}

/** The piece of a stream, when it is one; throws like `checkedReply`. A piece of an unknown type is none of the loop's business. */
export function checkedChunk(chunk: unknown): ModelChunk {
  refuse(isJsonObject(chunk) ? chunkProblem(chunk) : 'a piece of its stream is no object');
  return chunk as unknown as ModelChunk;
}

function refuse(problem: string | undefined): void {
  if (problem !== undefined) throw new ModelError('invalid_request', `The model's reply does not fit the port: ${problem}.`);
}

function replyProblem({ content, stop_reason, raw_stop_reason, usage }: JsonObject): string | undefined {
  if (!Array.isArray(content)) return 'content: expected a list of blocks';
  for (let at = 0; at < content.length; at++) {
    const problem = blockProblem(content[at]);
    if (problem !== undefined) return `content[${at}]${problem}`;
  }
  if (!STOP_REASONS.has(stop_reason)) return `stop_reason: expected one of ${[...STOP_REASONS].join(', ')}`;
  if (!isTextOrNone(raw_stop_reason)) return 'raw_stop_reason: expected a text';
  return usageProblem(usage);
}

function chunkProblem(chunk: JsonObject): string | undefined {
  switch (chunk['type']) {
    case 'tool_input_delta':
      if (typeof chunk['call'] !== 'number' || !isTextOrNone(chunk['name']))
        return 'tool_input_delta: expected call, a number, and name, a text';
      return typeof chunk['text'] === 'string' ? undefined : 'tool_input_delta.text: expected a text';
    case 'text_delta':
    case 'thinking_delta':
      return typeof chunk['text'] === 'string' ? undefined : `${chunk['type']}.text: expected a text`;
    case 'usage':
      return usageProblem(chunk['usage']);
    default:
      return undefined;
  }
}

function usageProblem(usage: unknown): string | undefined {
  if (!isJsonObject(usage)) return 'usage: expected an object; NO_USAGE with complete: false says that it is not known';
  if (typeof usage['complete'] !== 'boolean') return 'usage.complete: expected true or false';
  for (const name of TOKEN_COUNTS) {
    const count = usage[name];
    if (typeof count !== 'number' || !Number.isFinite(count) || count < 0) return `usage.${name}: expected a number of 0 or more`;
  }
  return undefined;
}

function blockProblem(block: unknown): string | undefined {
  if (!isJsonObject(block)) return ': expected a block';
  if (!isTextOrNone(block['provider'])) return '.provider: expected a text';
  switch (block['type']) {
    case 'text':
      return typeof block['text'] === 'string' ? undefined : '.text: expected a text';
    case 'thinking':
      return typeof block['text'] === 'string' && isTextOrNone(block['signature'])
        ? undefined
        : ': expected text and signature to be texts';
    case 'redacted_thinking':
      return typeof block['data'] === 'string' ? undefined : '.data: expected a text';
    case 'tool_use':
      return callProblem(block);
    case 'image':
      return isImage(block) ? undefined : ': an image needs either url, or data (base64) and media_type';
    default:
      return '.type: expected text, image, thinking, redacted_thinking or tool_use';
  }
}

function callProblem(call: JsonObject): string | undefined {
  if (typeof call['call_id'] !== 'string') return ".call_id: expected a text, '' where the provider gave none";
  if (typeof call['name'] !== 'string') return '.name: expected a text';
  if (!isJsonObject(call['arguments'])) return '.arguments: expected an object, {} beside arguments_text';
  return isTextOrNone(call['arguments_text']) ? undefined : '.arguments_text: expected a text';
}

function isImage({ url, data, media_type }: JsonObject): boolean {
  return url === undefined ? typeof data === 'string' && typeof media_type === 'string' : typeof url === 'string' && data === undefined;
}

function isTextOrNone(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}
