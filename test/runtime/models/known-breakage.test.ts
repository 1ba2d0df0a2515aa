/**
 * Known ways in which streams of providers break, as far as an adapter decides what becomes of them: cases A6, B1, B5, C1,
 * C4, C7, D1, D3, E1, E3, F1, F8, G1, H1 and H3. The server judges every request as a strict provider would.
 */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { anthropicModel } from '../../../src/runtime/models/anthropic-model.ts';
import { openaiModel } from '../../../src/runtime/models/openai-model.ts';
import type { Model, ModelReply } from '../../../src/runtime/ports.ts';
import type { Block, Message, ToolUseBlock } from '../../../src/runtime/schema/message.ts';
import { callModel, failureOf, message, toolDefinition, user } from '../../support/model-calls.ts';
import { SHARED_FOLDER, SKIPPED, sharedPath, warnWhenSkipped } from '../../support/shared-inputs.ts';

warnWhenSkipped('what known breakage does to the adapters');

interface StrictServer {
  readonly url: string;
  readonly seen: readonly { readonly problems: readonly string[]; readonly body: Record<string, unknown> }[];
  close(): void;
}

let server: StrictServer | undefined;

/** A model whose server plays a case, strictly. */
async function playing(id: string, provider: 'anthropic' | 'openai'): Promise<Model> {
  const { start } = await import(pathToFileURL(sharedPath('cases', 'tools', 'wire-server.mjs')).href);
  server = (await start(JSON.parse(readFileSync(sharedPath('cases', `${id}.json`), 'utf8')), { strict: true })) as StrictServer;
  const options = { model: 'my-proxy/unknown', apiKey: 'a-key-for-tests' };
  return provider === 'anthropic'
    ? anthropicModel({ ...options, baseUrl: server.url })
    : openaiModel({ ...options, baseUrl: `${server.url}/v1` });
}

/** The next history: the reply as the loop keeps it, and a result for each call. */
function goOn(history: readonly Message[], reply: ModelReply): Message[] {
  const calls = reply.content.filter((block) => block.type === 'tool_use');
  return [...history, message('assistant', [...reply.content]), message('user', calls.map(resultOf))];
}

function resultOf(call: ToolUseBlock): Block {
  return { type: 'tool_result', call_id: call.call_id, content: [{ type: 'text', text: 'done' }], is_error: false };
}

const TOOLS = ['echo', 'need', 'noparam', 'other', 'effect', 'write_file'].map(toolDefinition);

async function ask(model: Model, messages: readonly Message[], params = {}): Promise<ModelReply> {
  return (await callModel(model, { messages, tools: TOOLS, params })).reply;
}

/** The nth request's messages as they were sent. */
function sent(nth: number): Record<string, unknown>[] {
  return server?.seen[nth]?.body['messages'] as Record<string, unknown>[];
}

afterEach(() => {
  expect(server?.seen.flatMap(({ problems }) => problems) ?? []).toEqual([]);
  server?.close();
  server = undefined;
});

describe.skipIf(SHARED_FOLDER === undefined)(`known breakage${SKIPPED}`, () => {
  it('A6: ids that a provider repeats are handed on as they came', async () => {
    const reply = await ask(await playing('A6', 'anthropic'), [user('go')]);

    expect(reply.content.map((block) => block.type === 'tool_use' && [block.call_id, block.arguments['v']])).toEqual([
      ['tu_1', 'a'],
      ['tu_1', 'b'],
      ['tu_9', 'z'],
      ['tu_9', 'z'],
    ]);
  });

  it('B1: empty arguments are none, broken ones stay a text, and the echoed history parses', async () => {
    const model = await playing('B1', 'openai');
    const first = await ask(model, [user('go')]);

    expect(first.content.map((block) => block.type === 'tool_use' && [block.name, block.arguments, block.arguments_text])).toEqual([
      ['noparam', {}, undefined],
      ['need', {}, undefined],
      ['need', {}, '{"{"p":1}'],
      ['need', {}, '{p:1,}'],
      ['need', { p: 1 }, undefined],
    ]);
    expect((await ask(model, goOn([user('go')], first))).content).toEqual([{ type: 'text', text: 'done' }]);
  });

  it('B5: a call that the output limit cut does not look whole', async () => {
    const model = await playing('B5', 'anthropic');
    const first = await ask(model, [user('go')]);

    expect(first.stop_reason).toBe('max_tokens');
    expect(first.content).toMatchObject([{ text: 'writing' }, { arguments: {}, arguments_text: '{"path":"/tmp/a","content":"abc' }]);
    expect((await ask(model, goOn([user('go')], first))).content).toEqual([{ type: 'text', text: 'done' }]);
  });

  it('C1: calls come out whatever the finish reason says, or when it says nothing', async () => {
    const model = await playing('C1', 'openai');
    let history = [user('go')];
    const seen: unknown[] = [];
    for (let turn = 1; turn <= 3; turn++) {
      const reply = await ask(model, history);
      seen.push([reply.raw_stop_reason, reply.content.filter((block) => block.type === 'tool_use').map((block) => block.arguments)]);
      history = goOn(history, reply);
    }

    expect(seen).toEqual([
      ['stop', [{ v: 1 }]],
      [undefined, [{ v: 2 }]],
      ['other', [{ v: 3 }]],
    ]);
    expect((await ask(model, history)).content).toEqual([{ type: 'text', text: 'done' }]);
  });

  it('C4: a refusal without content is a refusal, and the next turn is a valid request', async () => {
    const model = await playing('C4', 'anthropic');
    const history = goOn([user('go')], await ask(model, [user('go')]));
    const refused = await ask(model, history);

    expect(refused).toMatchObject({ content: [], stop_reason: 'refusal' });
    await ask(model, [...history, message('assistant', [...refused.content]), user('again')]);
    expect(sent(2).at(-1)).toMatchObject({ role: 'user', content: [{ type: 'tool_result' }, { type: 'text', text: 'again' }] });
  });

  it('C7: empty texts and empty messages are never sent', async () => {
    const model = await playing('C7', 'anthropic');
    const first = await ask(model, [user('go')]);
    const history = goOn([user('go')], first);
    const blank = await ask(model, history);

    await ask(model, [...history, message('assistant', [...blank.content]), message('assistant', []), user(' '), user('next')]);

    expect(sent(1)[1]).toMatchObject({ content: [{ type: 'tool_use' }] });
    expect(sent(2).map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  it('D1: thinking goes back byte for byte, in order, before the call', async () => {
    const model = await playing('D1', 'anthropic');
    const params = { thinking: 'high', max_output_tokens: 16_000, temperature: 0.5 } as const;
    const first = await ask(model, [user('go')], params);
    const stored = JSON.parse(JSON.stringify(goOn([user('go')], first))) as Message[];

    await ask(model, stored, params);

    expect(sent(1)[1]?.['content']).toEqual([
      { type: 'thinking', thinking: 'plan é 🙂', signature: 'c2lnLTE=' },
      { type: 'thinking', thinking: '', signature: 'c2lnLTI=' },
      { type: 'redacted_thinking', data: 'ZGF0YQ==' },
      { type: 'tool_use', id: 'tu_1', name: 'echo', input: { v: 1 } },
    ]);
    expect(server?.seen[1]?.body).toMatchObject({ thinking: { type: 'adaptive' }, output_config: { effort: 'high' } });
    expect(server?.seen[1]?.body).not.toHaveProperty('temperature');
  });

  it('D3: reasoning of a tool turn goes back, and is no text', async () => {
    const model = await playing('D3', 'openai');
    const first = await ask(model, [user('go')]);

    expect(first.content).toMatchObject([{ type: 'thinking', text: 'first look' }, { type: 'tool_use' }]);
    await ask(model, goOn([user('go')], first));
    expect(sent(1)[1]).toMatchObject({ content: null, reasoning_content: 'first look' });
  });

  it('E1: usage that start and end repeat counts once', async () => {
    const { usage } = await ask(await playing('E1', 'anthropic'), [user('go')]);

    expect(usage).toEqual({ input_tokens: 14, output_tokens: 64, cache_read_tokens: 120_000, cache_write_tokens: 8_012, complete: true });
  });

  it('E3: chunks without choices or delta are survived', async () => {
    expect(await ask(await playing('E3', 'openai'), [user('go')])).toMatchObject({
      content: [{ type: 'text', text: 'ok' }],
      usage: { input_tokens: 3, output_tokens: 2 },
    });
  });

  it('F1: an overload inside a 200 stream is an overload, before and after the first text', async () => {
    const model = await playing('F1', 'anthropic');

    expect(await failureOf(ask(model, [user('go')]))).toMatchObject({ errorClass: 'overloaded', retryable: true });
    expect(await failureOf(ask(model, [user('go')]))).toMatchObject({ errorClass: 'overloaded', retryable: true });
    expect((await ask(model, [user('go')])).content).toEqual([{ type: 'text', text: 'Hello world' }]);
  });

  it('F8: a stream that just ends is broken, one with a finish reason is whole', async () => {
    const model = await playing('F8', 'openai');

    expect(await failureOf(ask(model, [user('go')]))).toMatchObject({ errorClass: 'network' });
    expect(await failureOf(ask(model, [user('go')]))).toMatchObject({ errorClass: 'network' });
    expect((await ask(model, [user('go')])).content).toEqual([{ type: 'text', text: 'fine' }]);
    expect(await failureOf(ask(model, [user('go')]))).toMatchObject({ errorClass: 'network' });
  });

  it('G1: one byte at a time, CRLF, comments and a byte order mark change no character', async () => {
    expect((await ask(await playing('G1', 'openai'), [user('go')])).content).toEqual([{ type: 'text', text: 'čau 🙂 日本' }]);
  });

  it('H1: calls without index stay three', async () => {
    const model = await playing('H1', 'openai');
    const first = await ask(model, [user('go')]);

    expect(first.content.map((block) => block.type === 'tool_use' && [block.call_id, block.arguments])).toEqual([
      ['a1', { v: 1 }],
      ['b2', { v: 2 }],
      ['c3', { v: 3 }],
    ]);
    await ask(model, goOn([user('go')], first));
  });

  it('H3: calls without ids come out with empty ones, for the loop to name', async () => {
    const model = await playing('H3', 'openai');
    const first = await ask(model, [user('go')]);

    expect(first.content.map((block) => block.type === 'tool_use' && [block.call_id, block.name])).toEqual([
      ['', 'echo'],
      ['', 'echo'],
      ['', 'other'],
    ]);
    const named = first.content.map((block, index) => (block.type === 'tool_use' ? { ...block, call_id: `own_${index}` } : block));
    await ask(model, goOn([user('go')], { ...first, content: named }));
  });
});
