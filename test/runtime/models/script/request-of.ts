/** Requests and calls as the loop would hand them over, for tests that talk to a model directly. */
import type { ModelCallOptions, ModelChunk, ModelReply, ModelRequest } from '../../../../src/runtime/ports.ts';
import type { Block, Message } from '../../../../src/runtime/schema/message.ts';
import type { ToolDefinition } from '../../../../src/runtime/schema/tool-definition.ts';

let messages = 0;

export function message(role: Message['role'], content: Block[] | string): Message {
  messages += 1;
  return { id: `message_${messages}`, role, content: typeof content === 'string' ? [{ type: 'text', text: content }] : content, time: 0 };
}

/** An assistant message that calls a tool, and the user message with what it said. */
export function toolTurn(callId: string, name: string, result: string): Message[] {
  return [
    message('assistant', [{ type: 'tool_use', call_id: callId, name, arguments: {} }]),
    message('user', [{ type: 'tool_result', call_id: callId, content: [{ type: 'text', text: result }], is_error: false }]),
  ];
}

export function tool(name: string): ToolDefinition {
  return { name, description: '', input_schema: { type: 'object' }, effect: 'read', interruptible: true };
}

export function requestOf(request: Partial<ModelRequest> = {}): ModelRequest {
  return { tools: [], messages: [message('user', 'hello')], params: {}, ...request };
}

export function callOf(options: Partial<ModelCallOptions> = {}): ModelCallOptions {
  return { signal: new AbortController().signal, iteration: 1, attempt: 1, ...options };
}

/** All chunks of an answer, the reply as its last one. */
export async function chunksOf(answer: AsyncIterable<ModelChunk> | Promise<ModelReply>): Promise<ModelChunk[]> {
  if (answer instanceof Promise) return [{ type: 'reply', reply: await answer }];
  const chunks: ModelChunk[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  return chunks;
}

/** The whole reply of an answer. */
export async function replyOf(answer: AsyncIterable<ModelChunk> | Promise<ModelReply>): Promise<ModelReply> {
  const last = (await chunksOf(answer)).at(-1);
  if (last?.type !== 'reply') throw new Error('the stream ended without a reply');
  return last.reply;
}

/** What has streamed before an answer failed, and its error. */
export async function failureOf(
  answer: AsyncIterable<ModelChunk> | Promise<ModelReply>,
): Promise<{ chunks: ModelChunk[]; error: unknown }> {
  const chunks: ModelChunk[] = [];
  try {
    if (answer instanceof Promise) await answer;
    else for await (const chunk of answer) chunks.push(chunk);
  } catch (error) {
    return { chunks, error };
  }
  throw new Error('expected the model call to fail');
}

/** The iterator of an answer that streams, to read it piece by piece. */
export function iteratorOf(answer: AsyncIterable<ModelChunk> | Promise<ModelReply>): AsyncIterator<ModelChunk> {
  if (answer instanceof Promise) throw new Error('expected a stream');
  return answer[Symbol.asyncIterator]();
}
