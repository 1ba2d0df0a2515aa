/** The Chat Completions adapters through the real SDK against a real HTTP server. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ModelError } from '../../../src/runtime/errors.ts';
import { type OpenAiModelOptions, openaiCompatibleModel, openaiModel } from '../../../src/runtime/models/openai-model.ts';
import type { Model } from '../../../src/runtime/ports.ts';
import { callModel, failureOf, message, streamOf, toolDefinition, user } from '../../support/model-calls.ts';
import { chatChunk, chatStream, startWireServer, type WireAnswer, type WireServer } from '../../support/wire-server.ts';

const KEY = 'sk-proj-test-0123456789';

let server: WireServer | undefined;

async function serving(answers: WireAnswer[], options: Partial<OpenAiModelOptions> = {}): Promise<Model> {
  server = await startWireServer(answers);
  return openaiModel({ model: 'gpt-test', apiKey: KEY, baseUrl: `${server.url}/v1`, ...options });
}

/** A model that gets one stream of these chunks. */
function streaming(...chunks: unknown[]): Promise<Model> {
  return serving([{ body: chatStream(chunks) }]);
}

function piece(entry: Record<string, unknown>) {
  return chatChunk({ tool_calls: [entry] });
}

function call(id: unknown, args: string, more: Record<string, unknown> = {}) {
  return piece({ id, type: 'function', function: { name: 'echo', arguments: args }, ...more });
}

afterEach(async () => {
  await server?.close();
  server = undefined;
});

describe('a reply of a Chat Completions server', () => {
  it('streams reasoning, text and arguments as they come, and ends with the whole reply', async () => {
    const model = await streaming(
      chatChunk({ role: 'assistant', content: null, reasoning_content: 'h' }),
      chatChunk({ reasoning_content: 'm' }),
      chatChunk({ content: 'Hel' }),
      chatChunk({ content: 'lo' }),
      call('c0', '{"v":', { index: 0 }),
      piece({ index: 0, function: { name: '', arguments: '1}' } }),
      chatChunk({}, 'tool_calls'),
      {
        choices: [],
        usage: {
          prompt_tokens: 30,
          completion_tokens: 5,
          total_tokens: 35,
          prompt_tokens_details: { cached_tokens: 10, cache_write_tokens: 4 },
        },
      },
    );

    const { chunks, reply } = await callModel(model);

    expect(chunks.filter(({ type }) => type !== 'usage' && type !== 'reply')).toEqual([
      { type: 'thinking_delta', text: 'h' },
      { type: 'thinking_delta', text: 'm' },
      { type: 'text_delta', text: 'Hel' },
      { type: 'text_delta', text: 'lo' },
      { type: 'tool_input_delta', call: 0, name: 'echo', text: '{"v":' },
      { type: 'tool_input_delta', call: 0, text: '1}' },
    ]);
    expect(reply).toEqual({
      content: [
        { type: 'thinking', text: 'hm', provider: 'openai' },
        { type: 'text', text: 'Hello' },
        { type: 'tool_use', call_id: 'c0', name: 'echo', arguments: { v: 1 } },
      ],
      stop_reason: 'tool_use',
      raw_stop_reason: 'tool_calls',
      usage: { input_tokens: 16, output_tokens: 5, cache_read_tokens: 10, cache_write_tokens: 4, complete: true },
    });
  });

  it('keeps calls apart that come without index, each with its id, and continues the last with a piece that has neither', async () => {
    const model = await streaming(
      call('a1', '{"v":1}'),
      call('b2', '{"v":2}'),
      call('c3', '{"v":'),
      piece({ function: { arguments: '3}' } }),
      chatChunk({}, 'stop'),
    );

    const { reply } = await callModel(model);

    expect(reply.content).toMatchObject([
      { call_id: 'a1', arguments: { v: 1 } },
      { call_id: 'b2', arguments: { v: 2 } },
      { call_id: 'c3', arguments: { v: 3 } },
    ]);
  });

  it('keeps calls apart that all have index 0 and different ids, and not the pieces of one that change their id only', async () => {
    const model = await streaming(
      call('a', '{"v":1}', { index: 0 }),
      call('b', '{"v":', { index: 0 }),
      piece({ index: 0, id: 'made-for-this-piece', function: { arguments: '2}' } }),
      chatChunk({}, 'tool_calls'),
    );

    const { reply } = await callModel(model);

    expect(reply.content).toMatchObject([
      { call_id: 'a', arguments: { v: 1 } },
      { call_id: 'b', arguments: { v: 2 } },
    ]);
    expect(reply.content).toHaveLength(2);
  });

  it('gives an empty id where the server gives none, with an index and without', async () => {
    const withIndex = ['', null, undefined].map((id, index) => call(id, `{"v":${index}}`, { index }));
    const model = await streaming(...withIndex, call(undefined, '{"v":3}'), call(undefined, '{"v":4}'), chatChunk({}, 'tool_calls'));

    const { reply } = await callModel(model);

    expect(reply.content.map((block) => block.type === 'tool_use' && [block.call_id, block.arguments['v']])).toEqual(
      [0, 1, 2, 3, 4].map((v) => ['', v]),
    );
  });

  it('joins a name that comes in parts and does not double one that is said again', async () => {
    const named = (index: number, name: string, args: string) => piece({ index, id: `c${index}`, function: { name, arguments: args } });
    const model = await streaming(
      named(0, 'get_', ''),
      named(0, 'weather', '{}'),
      named(1, 'echo', ''),
      named(1, 'echo', '{}'),
      chatChunk({}, 'tool_calls'),
    );

    const { reply } = await callModel(model);

    expect(reply.content).toMatchObject([{ name: 'get_weather' }, { name: 'echo' }]);
  });

  it('takes no text and blanks for no arguments, and keeps what does not parse', async () => {
    const model = await streaming(
      call('a', '', { index: 0 }),
      call('b', '{p:1,}', { index: 1 }),
      call('c', 'null', { index: 2 }),
      chatChunk({}, 'tool_calls'),
    );

    const { reply } = await callModel(model);

    expect(reply.content).toEqual([
      { type: 'tool_use', call_id: 'a', name: 'echo', arguments: {} },
      { type: 'tool_use', call_id: 'b', name: 'echo', arguments: {}, arguments_text: '{p:1,}' },
      { type: 'tool_use', call_id: 'c', name: 'echo', arguments: {}, arguments_text: 'null' },
    ]);
  });

  it('takes arguments that come as an object', async () => {
    const { reply } = await callModel(
      await streaming(piece({ index: 0, id: 'a', function: { name: 'echo', arguments: { v: 1 } } }), chatChunk({}, 'tool_calls')),
    );

    expect(reply.content).toMatchObject([{ arguments: { v: 1 } }]);
  });

  it('survives chunks without choices, without delta and without anything', async () => {
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
    const model = await streaming(
      { choices: [] },
      { id: 'x' },
      { choices: null },
      7,
      { choices: [null, { index: 1, delta: { content: 'another choice' } }] },
      chatChunk({ role: 'assistant', content: 'ok' }),
      { choices: [{ index: 0, finish_reason: 'stop' }] },
      { choices: [], usage },
    );

    const { reply } = await callModel(model);

    expect(reply).toMatchObject({ content: [{ type: 'text', text: 'ok' }], usage: { input_tokens: 3, output_tokens: 2, complete: true } });
  });

  it('reads content that is a list of parts, thinking among them', async () => {
    const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] };
    const { reply } = await callModel(
      await streaming(chatChunk({ content: [thinking, { type: 'text', text: 'ok' }] }), chatChunk({}, 'stop')),
    );

    expect(reply.content).toEqual([
      { type: 'thinking', text: 'hm', provider: 'openai' },
      { type: 'text', text: 'ok' },
    ]);
  });

  it('shows a refusal as text and as the stop reason', async () => {
    const { reply } = await callModel(
      await streaming(chatChunk({ refusal: 'I will ' }), chatChunk({ refusal: 'not.' }), chatChunk({}, 'stop')),
    );

    expect(reply).toMatchObject({ content: [{ type: 'text', text: 'I will not.' }], stop_reason: 'refusal', raw_stop_reason: 'stop' });
  });

  it.each([
    ['stop', 'end_turn'],
    ['length', 'max_tokens'],
    ['tool_calls', 'tool_use'],
    ['content_filter', 'refusal'],
    ['other', 'other'],
  ])('maps the finish reason %s to %s and keeps the word', async (raw, stopReason) => {
    const { reply } = await callModel(await streaming(chatChunk({ content: 'x' }), chatChunk({}, raw)));

    expect(reply).toMatchObject({ stop_reason: stopReason, raw_stop_reason: raw });
  });

  it('is complete with the [DONE] line and no finish reason, and with a finish reason and no [DONE] line', async () => {
    const bare = await callModel(await serving([{ body: chatStream([call('c', '{}', { index: 0 })]) }]));
    await server?.close();
    const undone = await callModel(await serving([{ body: chatStream([chatChunk({ content: 'fine' }, 'stop')], { done: false }) }]));

    expect(bare.reply).toMatchObject({ content: [{ call_id: 'c' }], stop_reason: 'other' });
    expect(bare.reply).not.toHaveProperty('raw_stop_reason');
    expect(undone.reply).toMatchObject({ content: [{ text: 'fine' }], stop_reason: 'end_turn' });
  });

  it('counts reasoning that a server puts on top of the completion once', async () => {
    const usage = { prompt_tokens: 307, completion_tokens: 26, total_tokens: 560, completion_tokens_details: { reasoning_tokens: 227 } };
    const { reply } = await callModel(await streaming(chatChunk({ content: 'x' }, 'stop'), { choices: [], usage }));

    expect(reply.usage.output_tokens).toBe(253);
  });

  it('says that usage is not known where the server tells none', async () => {
    const { reply } = await callModel(await streaming(chatChunk({ content: 'x' }, 'stop')));

    expect(reply.usage).toEqual({ input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0, complete: false });
  });

  it.each(['\n', '\r\n', '\r'])(
    'comes out right byte by byte, with comments, a byte order mark and lines that end with %j',
    async (lineEnd) => {
      const text = chatStream([
        chatChunk({ content: 'čau ' }),
        chatChunk({ content: '🙂 ' }),
        chatChunk({ content: '日本' }),
        chatChunk({}),
      ]);
      const odd = `\ufeff: hello\n\n${text.replaceAll('data: ', ': comment\ndata: ')}`.replaceAll('\n', lineEnd);
      const { reply } = await callModel(await serving([{ body: odd, split: 1 }]));

      expect(reply.content).toEqual([{ type: 'text', text: 'čau 🙂 日本' }]);
    },
  );

  it('is complete at its last line, even if the server then keeps the connection open', async () => {
    const { reply } = await callModel(await serving([{ body: chatStream([chatChunk({ content: 'ok' })]), end: 'hang' }]));

    expect(reply.content).toEqual([{ type: 'text', text: 'ok' }]);
    expect(await (await server?.nextRequest())?.closed).toBe('closed');
  });

  it('does not take [DONE] inside a text for the end', async () => {
    const model = await serving([{ body: chatStream([chatChunk({ content: '\ndata: [DONE]\n\n' })], { done: false }) }]);

    expect(await failureOf(callModel(model))).toMatchObject({ errorClass: 'network' });
  });
});

describe('a request to a Chat Completions server', () => {
  const ok: WireAnswer = { body: chatStream([chatChunk({ content: 'ok' }, 'stop')]) };

  it('carries the key, the further headers and the streaming body, once', async () => {
    const model = await serving([ok]);

    await callModel(model, { headers: { 'x-trace': 't-1' }, params: { max_output_tokens: 100, thinking: 'low' } });

    const request = server?.requests[0];
    expect(request?.path).toBe('/v1/chat/completions');
    expect(request?.headers).toMatchObject({ authorization: `Bearer ${KEY}`, 'x-trace': 't-1' });
    expect(request?.body).toMatchObject({ model: 'gpt-test', stream: true, stream_options: { include_usage: true } });
    expect(request?.body).toMatchObject({ max_completion_tokens: 100, reasoning_effort: 'low' });
  });

  it('sends the older output limit to a compatible server, and a key only where there is one', async () => {
    server = await startWireServer([ok, ok]);
    const options = { model: 'local', baseUrl: `${server.url}/v1` };

    await callModel(openaiCompatibleModel(options), { params: { max_output_tokens: 100 } });
    await callModel(openaiCompatibleModel({ ...options, env: { OPENAI_API_KEY: KEY } }));

    expect(server.requests[0]?.body).toMatchObject({ max_tokens: 100 });
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([undefined, `Bearer ${KEY}`]);
  });

  it('returns reasoning and own data of a call to the server that sent them, whatever the model is called', async () => {
    const thought = { google: { thought_signature: 'c2ln' } };
    const first = [
      chatChunk({ reasoning: 'hm' }),
      call('c0', '{"v":1}', { index: 0, extra_content: thought }),
      chatChunk({}, 'tool_calls'),
    ];
    server = await startWireServer([{ body: chatStream(first) }, ok]);
    const model = openaiCompatibleModel({ model: 'my-proxy/unknown', baseUrl: server.url });

    const { reply } = await callModel(model);
    const result = message('user', [{ type: 'tool_result', call_id: 'c0', content: [{ type: 'text', text: '1' }], is_error: false }]);
    await callModel(model, { messages: [user('go'), message('assistant', [...reply.content]), result], tools: [toolDefinition('echo')] });

    expect(server.requests[1]?.body['messages']).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: null, reasoning_content: 'hm', tool_calls: [{ id: 'c0', extra_content: thought }] },
      { role: 'tool', tool_call_id: 'c0', content: '1' },
    ]);
  });
});

describe('the environment of the process', () => {
  it('is no source of keys, addresses and organizations for the SDK', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-from-the-process');
    vi.stubEnv('OPENAI_ORG_ID', 'org-from-the-process');
    vi.stubEnv('OPENAI_PROJECT_ID', 'project-from-the-process');
    vi.stubEnv('OPENAI_BASE_URL', 'http://127.0.0.1:1');
    server = await startWireServer([{ body: chatStream([chatChunk({ content: 'ok' }, 'stop')]) }]);

    await callModel(openaiCompatibleModel({ model: 'm', baseUrl: server.url }));

    expect(JSON.stringify(server.requests[0]?.headers)).not.toContain('from-the-process');
  });
});

describe('a failed call of a Chat Completions server', () => {
  it.each([
    ['in the middle of a text', { body: chatStream([chatChunk({ content: 'The answer is' })], { done: false }) }],
    ['by a reset', { body: chatStream([chatChunk({ content: 'The answer is' })], { done: false }), end: 'cut' as const }],
    ['behind a call that looks whole', { body: chatStream([call('c', '{"n":1}', { index: 0 })], { done: false }) }],
    ['before anything came', { body: '' }],
  ])('ends as a broken connection when the stream ends %s', async (_, answer) => {
    const error = await failureOf(callModel(await serving([answer])));

    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ errorClass: 'network', retryable: true });
  });

  it.each([
    [{ error: { message: 'busy', type: 'server_error' } }, 'server'],
    [{ error: { message: 'slow down', code: 'rate_limit_exceeded' } }, 'rate_limit'],
    [{ error: { message: 'upstream', code: 502 } }, 'server'],
    [{ error: { message: "This model's maximum context length is 4096 tokens." } }, 'context_overflow'],
    [{ error: 'overloaded' }, 'server'],
    [{ choices: [{ index: 0, delta: {}, finish_reason: 'error', error: { code: 429, message: 'later' } }] }, 'rate_limit'],
  ])('inside a 200 stream, as %j, is of class %s', async (chunk, errorClass) => {
    expect(await failureOf(callModel(await streaming(chatChunk({ content: 'x' }), chunk)))).toMatchObject({ errorClass });
  });

  it.each([
    [401, { error: { message: 'no', type: 'invalid_request_error', code: 'invalid_api_key' } }, 'auth'],
    [404, { error: { message: 'no such model', code: 'model_not_found' } }, 'invalid_request'],
    [400, { error: { message: 'too many', code: 'context_length_exceeded' } }, 'context_overflow'],
    [400, { object: 'error', message: "This model's maximum context length is 4096 tokens.", code: 400 }, 'context_overflow'],
    [
      400,
      [{ error: { code: 400, message: 'The input token count (9) exceeds the maximum number of tokens', status: 'INVALID_ARGUMENT' } }],
      'context_overflow',
    ],
    [422, { detail: 'field required' }, 'invalid_request'],
    [429, { error: { message: 'check your plan', code: 'insufficient_quota' } }, 'auth'],
    [500, { error: { message: 'oops' } }, 'server'],
    [503, { error: { message: 'overloaded' } }, 'overloaded'],
  ])('with status %i and %j is of class %s', async (status, body, errorClass) => {
    const model = await serving([{ status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }]);

    const error = await failureOf(callModel(model));

    expect(error).toMatchObject({ errorClass, status });
    expect((error as Error).message).not.toContain('no body');
    expect(server?.requests).toHaveLength(1);
  });

  it('takes a page, and JSON, with status 200 for an error', async () => {
    const page = { headers: { 'content-type': 'text/html' }, body: '<h1>Sign in</h1>' };
    const json = { headers: { 'content-type': 'application/json' }, body: '{"error":{"type":"authentication_error","message":"expired"}}' };
    const model = await serving([page, json]);

    expect(await failureOf(callModel(model))).toMatchObject({ errorClass: 'server', message: expect.stringContaining('Sign in') });
    expect(await failureOf(callModel(model))).toMatchObject({ errorClass: 'auth', message: expect.stringContaining('expired') });
  });

  it('takes an event that is no JSON for a broken stream', async () => {
    const model = await serving([{ body: 'data: {"choices":[{"del\n\n' }]);

    expect(await failureOf(callModel(model))).toMatchObject({ errorClass: 'network' });
  });

  it('never shows the key', async () => {
    const body = JSON.stringify({ error: { message: `Incorrect API key provided: ${KEY}.` } });
    const model = await serving([{ status: 401, headers: { 'content-type': 'application/json' }, body }]);

    const error = (await failureOf(callModel(model))) as Error;

    expect(error.message).toContain('[redacted]');
    for (const text of [error.message, String(error.stack), JSON.stringify(error.cause), String(error.cause)])
      expect(text).not.toContain(KEY);
  });

  it('tells that nobody listens there', async () => {
    const model = await serving([]);
    await server?.close();

    expect(await failureOf(callModel(model))).toMatchObject({ errorClass: 'network', message: expect.stringContaining('ECONNREFUSED') });
  });
});

describe('an abort', () => {
  it('closes the connection and fails with its reason, before the answer and in mid-stream', async () => {
    const model = await serving([{ end: 'hang' }, { body: chatStream([chatChunk({ content: 'x' })], { done: false }), end: 'hang' }]);
    for (const request of [1, 2]) {
      const controller = new AbortController();
      const call = failureOf(callModel(model, {}, controller.signal));
      const arrived = await server?.nextRequest();

      controller.abort(`enough ${request}`);

      expect(await call).toBe(`enough ${request}`);
      expect(await arrived?.closed).toBe('closed');
    }
  });

  it('is not needed where the reader just leaves: that closes the connection as well', async () => {
    const model = await serving([{ body: chatStream([chatChunk({ content: 'x' })], { done: false }), end: 'hang' }]);

    for await (const chunk of streamOf(model)) if (chunk.type === 'text_delta') break;

    expect(await (await server?.nextRequest())?.closed).toBe('closed');
  });

  it('leaves no listener behind on the signal after a call that went well', async () => {
    const model = await serving([{ body: chatStream([chatChunk({ content: 'x' }, 'stop')]) }]);
    const listeners = new Set<unknown>();
    const { signal } = new AbortController();
    const watched = Object.create(signal, {
      aborted: { get: () => signal.aborted },
      addEventListener: { value: (_: string, listener: unknown) => listeners.add(listener) },
      removeEventListener: { value: (_: string, listener: unknown) => listeners.delete(listener) },
    }) as AbortSignal;

    await callModel(model, {}, watched);

    expect(listeners.size).toBe(0);
  });
});
