/** Anthropic's adapter through the real SDK against a real HTTP server. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ModelError } from '../../../src/runtime/errors.ts';
import { type AnthropicModelOptions, anthropicModel } from '../../../src/runtime/models/anthropic-model.ts';
import type { Model } from '../../../src/runtime/ports.ts';
import { callModel, failureOf, streamOf, toolDefinition, user } from '../../support/model-calls.ts';
import { anthropicStream, startWireServer, type WireAnswer, type WireServer } from '../../support/wire-server.ts';

const KEY = 'sk-ant-test-0123456789';
const START = {
  type: 'message_start',
  message: { id: 'msg_1', role: 'assistant', content: [], usage: { input_tokens: 11, output_tokens: 1 } },
};
const STOP = { type: 'message_stop' };

function end(stopReason: string, usage: Record<string, number> = { output_tokens: 7 }) {
  return { type: 'message_delta', delta: { stop_reason: stopReason, stop_sequence: null }, usage };
}

function block(index: number, contentBlock: Record<string, unknown>, ...deltas: Record<string, unknown>[]) {
  return [
    { type: 'content_block_start', index, content_block: contentBlock },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

function textBlock(index: number, ...pieces: string[]) {
  return block(index, { type: 'text', text: '' }, ...pieces.map((text) => ({ type: 'text_delta', text })));
}

function callBlock(index: number, id: string, ...pieces: string[]) {
  const deltas = pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json }));
  return block(index, { type: 'tool_use', id, name: 'echo', input: {} }, ...deltas);
}

function answer(...events: ({ type: string } & Record<string, unknown>)[]): WireAnswer {
  return { body: anthropicStream(events) };
}

let server: WireServer | undefined;

async function serving(answers: WireAnswer[], options: Partial<AnthropicModelOptions> = {}): Promise<Model> {
  server = await startWireServer(answers);
  return anthropicModel({ model: 'claude-test', apiKey: KEY, baseUrl: server.url, ...options });
}

afterEach(async () => {
  await server?.close();
  server = undefined;
});

describe('a reply of Anthropic', () => {
  it('streams text, thinking and arguments as they come, and ends with the whole reply', async () => {
    const thinking = block(
      0,
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'thinking_delta', thinking: 'hm' },
      { type: 'signature_delta', signature: 'c2ln' },
    );
    const model = await serving([
      answer(START, ...thinking, ...textBlock(1, 'Hel', 'lo'), ...callBlock(2, 'tu_1', '{"v":', '"a"}'), end('tool_use'), STOP),
    ]);

    const { chunks, reply } = await callModel(model);

    expect(chunks.filter(({ type }) => type !== 'usage' && type !== 'reply')).toEqual([
      { type: 'thinking_delta', text: 'hm' },
      { type: 'text_delta', text: 'Hel' },
      { type: 'text_delta', text: 'lo' },
      { type: 'tool_input_delta', call: 0, name: 'echo', text: '' },
      { type: 'tool_input_delta', call: 0, text: '{"v":' },
      { type: 'tool_input_delta', call: 0, text: '"a"}' },
    ]);
    expect(reply).toEqual({
      content: [
        { type: 'thinking', text: 'hm', signature: 'c2ln', provider: 'anthropic' },
        { type: 'text', text: 'Hello' },
        { type: 'tool_use', call_id: 'tu_1', name: 'echo', arguments: { v: 'a' } },
      ],
      stop_reason: 'tool_use',
      raw_stop_reason: 'tool_use',
      usage: { input_tokens: 11, output_tokens: 7, cache_read_tokens: 0, cache_write_tokens: 0, complete: true },
    });
  });

  it('counts usage that start and end repeat once, and lets the end correct the start', async () => {
    const cached = { input_tokens: 14, cache_read_input_tokens: 120_000, cache_creation_input_tokens: 8_012 };
    const start = { ...START, message: { ...START.message, usage: { ...cached, input_tokens: 9, output_tokens: 4 } } };
    const model = await serving([answer(start, start, ...textBlock(0, 'hi'), end('end_turn', { ...cached, output_tokens: 64 }), STOP)]);

    const { reply } = await callModel(model);

    expect(reply.usage).toEqual({
      input_tokens: 14,
      output_tokens: 64,
      cache_read_tokens: 120_000,
      cache_write_tokens: 8_012,
      complete: true,
    });
  });

  it('keeps arguments that do not parse to an object as the text that came, and takes no text for no arguments', async () => {
    const cut = '{"path":"/tmp/a","content":"abc';
    const model = await serving([
      answer(
        START,
        ...callBlock(0, 'a', cut.slice(0, 9), cut.slice(9)),
        ...callBlock(1, 'b', ''),
        ...callBlock(2, 'c', '[1]'),
        end('max_tokens'),
        STOP,
      ),
    ]);

    const { reply } = await callModel(model);

    expect(reply.content).toEqual([
      { type: 'tool_use', call_id: 'a', name: 'echo', arguments: {}, arguments_text: cut },
      { type: 'tool_use', call_id: 'b', name: 'echo', arguments: {} },
      { type: 'tool_use', call_id: 'c', name: 'echo', arguments: {}, arguments_text: '[1]' },
    ]);
    expect(reply.stop_reason).toBe('max_tokens');
  });

  it('takes arguments that came whole with the start of a call', async () => {
    const whole = block(0, { type: 'tool_use', id: 'a', name: 'echo', input: { v: 1 } });
    const { reply } = await callModel(await serving([answer(START, ...whole, end('tool_use'), STOP)]));

    expect(reply.content).toEqual([{ type: 'tool_use', call_id: 'a', name: 'echo', arguments: { v: 1 } }]);
  });

  it('passes over blocks and events of kinds that it does not know', async () => {
    const search = block(
      0,
      { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
      { type: 'input_json_delta', partial_json: '{}' },
    );
    const { reply } = await callModel(
      await serving([answer(START, ...search, { type: 'news' }, ...textBlock(1, 'ok'), end('end_turn'), STOP)]),
    );

    expect(reply.content).toEqual([{ type: 'text', text: 'ok' }]);
  });

  it.each([
    ['end_turn', 'end_turn'],
    ['tool_use', 'tool_use'],
    ['max_tokens', 'max_tokens'],
    ['stop_sequence', 'stop_sequence'],
    ['pause_turn', 'pause_turn'],
    ['refusal', 'refusal'],
    ['model_context_window_exceeded', 'context_overflow'],
    ['something_new', 'other'],
  ])('maps the stop reason %s to %s and keeps the word', async (raw, stopReason) => {
    const { reply } = await callModel(await serving([answer(START, end(raw), STOP)]));

    expect(reply).toMatchObject({ content: [], stop_reason: stopReason, raw_stop_reason: raw });
  });

  it('comes out right byte by byte, with CRLF, comments and a byte order mark', async () => {
    const text = anthropicStream([START, ...textBlock(0, 'čau ', '🙂 ', '日本'), end('end_turn'), STOP]);
    const odd = `\ufeff: hello\r\n\r\n${text.replaceAll('\n', '\r\n').replaceAll('event: ', ': comment\r\nevent: ')}`;
    const { reply } = await callModel(await serving([{ body: odd, split: 1 }]));

    expect(reply.content).toEqual([{ type: 'text', text: 'čau 🙂 日本' }]);
  });

  it('is complete with the last event and no stop reason, and with a stop reason and no last event', async () => {
    const model = await serving([answer(START, ...textBlock(0, 'a'), STOP), answer(START, ...textBlock(0, 'b'), end('end_turn'))]);

    expect((await callModel(model)).reply).toMatchObject({ content: [{ text: 'a' }], stop_reason: 'other' });
    expect((await callModel(model)).reply).toMatchObject({ content: [{ text: 'b' }], stop_reason: 'end_turn' });
  });

  it('is complete at its last event, even if the server then keeps the connection open', async () => {
    const model = await serving([{ ...answer(START, ...textBlock(0, 'ok'), end('end_turn'), STOP), end: 'hang' }]);

    const { reply } = await callModel(model);

    expect(reply.content).toEqual([{ type: 'text', text: 'ok' }]);
    expect(await (await server?.nextRequest())?.closed).toBe('closed');
  });
});

describe('a request to Anthropic', () => {
  const ok = answer(START, ...textBlock(0, 'ok'), end('end_turn'), STOP);

  it('carries the key, the further headers and the streaming body to the Messages API, once', async () => {
    const model = await serving([ok]);

    await callModel(model, { headers: { 'x-trace': 't-1' }, params: { max_output_tokens: 100 } });

    const request = server?.requests[0];
    expect(request?.path).toBe('/v1/messages');
    expect(request?.headers).toMatchObject({ authorization: `Bearer ${KEY}`, 'x-trace': 't-1' });
    expect(request?.body).toMatchObject({ model: 'claude-test', stream: true, max_tokens: 100 });
    expect(server?.requests).toHaveLength(1);
  });

  it('marks tools, system prompt and the end of the conversation for the cache, four places at most', async () => {
    const model = await serving([ok, ok], {});
    const history = [
      user('a'),
      { ...user('b'), role: 'assistant' as const },
      user('c'),
      { ...user('d'), role: 'assistant' as const },
      user('e'),
    ];
    const request = { system: 'be brief', tools: [toolDefinition('one'), toolDefinition('two')], messages: history };

    await callModel(model, request);

    const body = server?.requests[0]?.body;
    const mark = { cache_control: { type: 'ephemeral' } };
    expect(body).toMatchObject({ system: [mark], tools: [{ name: 'one' }, { name: 'two', ...mark }] });
    expect(
      ((body?.['messages'] ?? []) as { content: unknown[] }[]).map(({ content }) => JSON.stringify(content).includes('ephemeral')),
    ).toEqual([false, false, true, false, true]);
    expect(JSON.stringify(body).match(/ephemeral/g)).toHaveLength(4);
  });

  it('marks nothing when caching is off', async () => {
    const model = await serving([ok], { promptCaching: false });

    await callModel(model, { system: 'be brief', tools: [toolDefinition('one')] });

    expect(JSON.stringify(server?.requests[0]?.body)).not.toContain('cache_control');
  });
});

describe('the environment of the process', () => {
  it('is no source of keys and addresses for the SDK', async () => {
    vi.stubEnv('ANTHROPIC_API_KEY', 'sk-from-the-process');
    vi.stubEnv('ANTHROPIC_AUTH_TOKEN', 'token-from-the-process');
    vi.stubEnv('ANTHROPIC_BASE_URL', 'http://127.0.0.1:1');
    const model = await serving([answer(START, end('end_turn'), STOP)]);

    await callModel(model);

    expect(server?.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(JSON.stringify(server?.requests[0]?.headers)).not.toContain('from-the-process');
  });
});

describe('a failed call of Anthropic', () => {
  const errorEvent = (type: string) => ({ type: 'error', error: { type, message: 'busy' } });

  it.each([
    ['overloaded_error', 'overloaded'],
    ['rate_limit_error', 'rate_limit'],
    ['api_error', 'server'],
    ['authentication_error', 'auth'],
    ['invalid_request_error', 'invalid_request'],
  ])('inside a 200 stream, with %s, is of class %s', async (type, errorClass) => {
    const model = await serving([answer(START, ...textBlock(0, 'Hello wo'), errorEvent(type))]);

    const error = await failureOf(callModel(model));

    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ errorClass, status: undefined });
    expect((error as Error).message).toContain('busy');
  });

  it('tells status, class and how long to wait, and is made only once', async () => {
    const body = JSON.stringify({ type: 'error', error: { type: 'rate_limit_error', message: 'quota' } });
    const headers = { 'content-type': 'application/json', 'retry-after': '277403' };
    const model = await serving([{ status: 429, headers, body }]);

    const error = await failureOf(callModel(model));

    expect(error).toMatchObject({ errorClass: 'rate_limit', status: 429, retryAfterMs: 277_403_000 });
    expect(server?.requests).toHaveLength(1);
  });

  it.each([
    ['before anything came', ''],
    ['behind the first event', anthropicStream([START])],
    ['in the middle of a text', anthropicStream([START, ...textBlock(0, 'Hel')])],
    ['in the middle of an event', anthropicStream([START]).slice(0, -20)],
  ])('ends as a broken connection when the stream ends %s', async (_, body) => {
    expect(await failureOf(callModel(await serving([{ body }])))).toMatchObject({ errorClass: 'network' });
  });

  it('ends as a broken connection when the connection is reset', async () => {
    const model = await serving([{ body: anthropicStream([START]), end: 'cut' }]);

    expect(await failureOf(callModel(model))).toMatchObject({ errorClass: 'network' });
  });

  it('takes a web page with status 200 for an error and shows its words', async () => {
    const model = await serving([{ headers: { 'content-type': 'text/html; charset=utf-8' }, body: '<html><h1>Sign in</h1></html>' }]);

    const error = await failureOf(callModel(model));

    expect(error).toMatchObject({ errorClass: 'server', message: expect.stringContaining('Sign in') });
  });

  it('never shows the key, wherever it comes from', async () => {
    const echoed = JSON.stringify({
      type: 'error',
      error: { type: 'authentication_error', message: `bad key ${KEY} and token hidden-token-1` },
    });
    const model = await serving([{ status: 401, headers: { 'content-type': 'application/json' }, body: echoed }]);

    const error = await failureOf(callModel(model, { headers: { authorization: 'Bearer hidden-token-1' } }));

    expect(error).toMatchObject({ errorClass: 'auth', status: 401, message: expect.stringContaining('[redacted]') });
    const cause = (error as Error).cause as Error;
    for (const text of [(error as Error).message, cause.message, JSON.stringify(cause), String(cause.stack)])
      expect(text).not.toMatch(/sk-ant|hidden-token/);
  });
});

describe('an abort', () => {
  it('closes the connection at once and fails with its reason, in mid-stream', async () => {
    const model = await serving([{ body: anthropicStream([START, ...textBlock(0, 'Hel')]), end: 'hang' }]);
    const controller = new AbortController();
    const stream = streamOf(model, {}, controller.signal)[Symbol.asyncIterator]();
    await stream.next();
    const request = await server?.nextRequest();

    const rest = failureOf(
      (async () => {
        while (!(await stream.next()).done);
      })(),
    );
    controller.abort('enough');

    expect(await rest).toBe('enough');
    expect(await request?.closed).toBe('closed');
  });

  it('before the answer has begun closes the connection too', async () => {
    const model = await serving([{ end: 'hang' }]);
    const controller = new AbortController();
    const call = failureOf(callModel(model, {}, controller.signal));
    const request = await server?.nextRequest();

    controller.abort('enough');

    expect(await call).toBe('enough');
    expect(await request?.closed).toBe('closed');
  });

  it('before the call sends nothing', async () => {
    const model = await serving([]);

    expect(await failureOf(callModel(model, {}, AbortSignal.abort('too late')))).toBe('too late');
    expect(server?.requests).toHaveLength(0);
  });

  it('is not needed where the reader just leaves: that closes the connection as well', async () => {
    const model = await serving([{ body: anthropicStream([START, ...textBlock(0, 'Hel')]), end: 'hang' }]);

    for await (const chunk of streamOf(model)) if (chunk.type === 'text_delta') break;

    expect(await (await server?.nextRequest())?.closed).toBe('closed');
  });
});
