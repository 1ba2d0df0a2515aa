/** Short ways to call a model as the loop does, and to write what it is called with. */
import type { Model, ModelChunk, ModelReply, ModelRequest } from '../../src/runtime/ports.ts';
import type { Block, Message } from '../../src/runtime/schema/message.ts';
import type { ToolDefinition } from '../../src/runtime/schema/tool-definition.ts';

/** All that a call gave. */
export interface CallOutcome {
  readonly chunks: readonly ModelChunk[];
  readonly reply: ModelReply;
}

/** Calls a model once and collects what comes. */
export async function callModel(
  model: Model,
  request: Partial<ModelRequest> = {},
  signal = new AbortController().signal,
): Promise<CallOutcome> {
  const chunks: ModelChunk[] = [];
  for await (const chunk of streamOf(model, request, signal)) chunks.push(chunk);
  const last = chunks.at(-1);
  if (last?.type !== 'reply') throw new Error('the stream ended without a reply');
  return { chunks, reply: last.reply };
}

/** Calls a model once and gives its stream. */
export function streamOf(
  model: Model,
  request: Partial<ModelRequest> = {},
  signal = new AbortController().signal,
): AsyncIterable<ModelChunk> {
  const whole = { tools: [], messages: [user('hi')], params: {}, ...request };
  const stream = model.respond(whole, { signal, iteration: 1, attempt: 1 });
  if (stream instanceof Promise) throw new Error('expected a model that streams');
  return stream;
}

/** The error of a call that fails. */
export async function failureOf(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error('expected the call to fail');
}

let count = 0;

/** A message. */
export function message(role: Message['role'], content: Block[]): Message {
  count += 1;
  return { id: `m${count}`, role, content, time: count };
}

/** A user message of one text. */
export function user(text: string): Message {
  return message('user', [{ type: 'text', text }]);
}

/** A tool that the loop might offer. */
export function toolDefinition(name: string): ToolDefinition {
  return {
    name,
    description: `Does ${name}.`,
    input_schema: { type: 'object', properties: { v: { type: 'string' } } },
    effect: 'read',
    interruptible: true,
  };
}
