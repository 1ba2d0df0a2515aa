/** `Model` is a public port: whatever stands behind it, the run ends with a reply or with an error that names what was wrong. */
import { describe, expect, it } from 'vitest';
import type { Model, ModelReply } from '../../../src/runtime/ports.ts';
import type { JsonObject } from '../../../src/runtime/schema/json.ts';
import { NO_USAGE } from '../../../src/runtime/schema/usage.ts';
import { startRun } from '../../../src/runtime/start-run.ts';
import { deferred } from '../../../src/runtime/testing/index.ts';
import { defineTool } from '../../../src/runtime/tools/define-tool.ts';

const good: ModelReply = { content: [{ type: 'text', text: 'ok' }], stop_reason: 'end_turn', usage: NO_USAGE };
const call = { type: 'tool_use', call_id: 'a', name: 't', arguments: {} };

/** The result of a run of a model that is no more than this function. */
function resultOf(respond: () => unknown) {
  const model = { provider: 'odd', model: 'odd', respond } as unknown as Model;
  return startRun({ model }, 'hello').result;
}

async function* streamOf(...chunks: unknown[]) {
  yield* chunks;
}

const BAD_REPLIES: readonly (readonly [place: string, reply: unknown])[] = [
  ['expected an object', null],
  ['expected an object', undefined],
  ['expected an object', 'text'],
  ['content', { ...good, content: null }],
  ['content[0]', { ...good, content: [null] }],
  ['content[0].text', { ...good, content: [{ type: 'text' }] }],
  ['content[1].type', { ...good, content: [...good.content, { type: 'weird' }] }],
  ['content[0].type', { ...good, content: [{ type: 'tool_result', call_id: 'a', content: [], is_error: false }] }],
  ['content[0].call_id', { ...good, content: [{ ...call, call_id: 7 }] }],
  ['content[0].name', { ...good, content: [{ ...call, name: undefined }] }],
  ['content[0].arguments', { ...good, content: [{ ...call, arguments: [1] }] }],
  ['an image needs', { ...good, content: [{ type: 'image', data: 'AAAA' }] }],
  ['stop_reason', { ...good, stop_reason: undefined }],
  ['stop_reason', { ...good, stop_reason: 'constructor' }],
  ['usage', { ...good, usage: undefined }],
  ['usage.input_tokens', { ...good, usage: { ...NO_USAGE, input_tokens: Number.NaN } }],
  ['usage.output_tokens', { ...good, usage: { ...NO_USAGE, output_tokens: '5' } }],
  ['usage.complete', { ...good, usage: { ...NO_USAGE, complete: 'yes' } }],
];

describe('a reply that does not fit the port', () => {
  it.each(BAD_REPLIES)('ends the run with an error that names %s, whole or streamed: %j', async (place, reply) => {
    for (const respond of [async () => reply, () => streamOf({ type: 'reply', reply })]) {
      expect(await resultOf(respond)).toMatchObject({
        reason: 'error',
        error: { code: 'model_invalid_request', message: expect.stringContaining(place), retryable: false },
      });
    }
  });

  it.each([[null], [{ type: 'text_delta' }], [{ type: 'tool_input_delta', call: 0 }], [{ type: 'usage' }]])(
    'is one with the piece %j in its stream',
    async (chunk) => {
      expect(await resultOf(() => streamOf(chunk, { type: 'reply', reply: good }))).toMatchObject({
        error: { code: 'model_invalid_request' },
      });
    },
  );
});

describe('data that is nested deeper than anything walks', () => {
  function deep(levels: number): JsonObject {
    let value: JsonObject = {};
    for (let level = 0; level < levels; level++) value = { a: value };
    return value;
  }

  it('is never run as arguments, and dropped as data of a provider; the model is told and the run goes on, with keys about or not', async () => {
    for (const secrets of [[], ['sk-12345678']]) {
      const calls = [
        { ...call, call_id: 'a', arguments: deep(50_000) },
        { ...call, call_id: 'b', arguments: {}, provider_data: deep(50_000) },
        { ...call, call_id: 'c', arguments: deep(150) },
      ];
      const ran: string[] = [];
      const tool = defineTool({
        name: 't',
        description: 'Runs.',
        input: { type: 'object' },
        execute: (_input, { callId }) => ran.push(callId),
      });
      const replies = [{ ...good, content: calls, stop_reason: 'tool_use' }, good];
      const model = { provider: 'odd', model: 'odd', secrets, respond: async () => replies.shift() } as unknown as Model;
      const result = await startRun({ model, tools: [tool] }, 'hello').result;
      expect(result.reason).toBe('finished');
      expect(ran).toEqual(['b', 'c']);
      expect(result.messages[2]?.content.map((block) => block.type === 'tool_result' && block.outcome)).toEqual([
        'invalid_arguments',
        'ok',
        'ok',
      ]);
    }
  });
});

describe('a model', () => {
  it('may hand over what is no promise', async () => {
    const next = () => ({ done: false, value: { type: 'reply', reply: good } });
    expect((await resultOf(() => good)).final_content).toBe('ok');
    expect((await resultOf(() => ({ [Symbol.asyncIterator]: () => ({ next }) }))).final_content).toBe('ok');
  });

  it('is told that its stream is over, also behind the reply, and whatever follows that is not read', async () => {
    const left = deferred();
    async function* stream() {
      try {
        yield { type: 'reply', reply: good };
        yield { type: 'text_delta', text: 'more' };
      } finally {
        left.resolve();
      }
    }
    expect((await resultOf(stream)).final_content).toBe('ok');
    await left.promise;
  });

  it('that throws while it is told so is known by its own error', async () => {
    const iterator = {
      next: () => Promise.reject(new Error('the real one')),
      return: () => {
        throw new Error('another');
      },
    };
    expect(await resultOf(() => ({ [Symbol.asyncIterator]: () => iterator }))).toMatchObject({ error: { message: 'the real one' } });
  });
});
