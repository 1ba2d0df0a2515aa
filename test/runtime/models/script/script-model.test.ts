import { describe, expect, it } from 'vitest';
import { scriptModel } from '../../../../src/runtime/models/script/script-model.ts';
import type { ScriptStep } from '../../../../src/runtime/models/script/script-schema.ts';
import { manualTimers } from '../../../../src/runtime/testing/manual-timers.ts';
import { callOf, chunksOf, failureOf, iteratorOf, message, replyOf, requestOf, tool, toolTurn } from './request-of.ts';

function modelOf(...steps: ScriptStep[]) {
  return scriptModel({ steps });
}

describe('scriptModel', () => {
  it('appears as provider script, under the name given, the script’s own or "script"', () => {
    expect(scriptModel({ steps: [{}] })).toMatchObject({ provider: 'script', model: 'script' });
    expect(scriptModel({ model: 'demo', steps: [{}] }).model).toBe('demo');
    expect(scriptModel({ model: 'demo', steps: [{}] }, { name: 'other' }).model).toBe('other');
  });

  it('plays one step a call, whatever is asked', async () => {
    const model = modelOf({ text: 'one' }, { text: 'two' });
    expect((await replyOf(model.respond(requestOf(), callOf()))).content).toEqual([{ type: 'text', text: 'one' }]);
    expect((await replyOf(model.respond(requestOf(), callOf({ attempt: 2 })))).content).toEqual([{ type: 'text', text: 'two' }]);
  });

  it('fails on a call behind the last step and says how many steps there were', async () => {
    const model = modelOf({ text: 'one' }, { text: 'two' });
    await replyOf(model.respond(requestOf(), callOf()));
    await replyOf(model.respond(requestOf(), callOf()));
    const { error } = await failureOf(model.respond(requestOf(), callOf()));
    expect(error).toMatchObject({
      errorClass: 'invalid_request',
      retryable: false,
      message: expect.stringContaining('it has 2 steps, and this is model call 3'),
    });
  });

  it('replies thinking, text and calls in this order, and streams them so', async () => {
    const step: ScriptStep = {
      thinking: 'hmm',
      signature: 'seal',
      text: 'Let me look.',
      tool_calls: [
        { name: 'grep', arguments: { pattern: 'x' } },
        { name: 'list', id: '' },
      ],
    };
    const chunks = await chunksOf(modelOf(step).respond(requestOf(), callOf()));
    expect(chunks.slice(1, -1)).toEqual([
      { type: 'thinking_delta', text: 'hmm' },
      { type: 'text_delta', text: 'Let me look.' },
      { type: 'tool_input_delta', call: 0, name: 'grep', text: '{"pattern":"x"}' },
      { type: 'tool_input_delta', call: 1, name: 'list', text: '{}' },
    ]);
    expect(chunks.at(-1)).toMatchObject({
      reply: {
        stop_reason: 'tool_use',
        content: [
          { type: 'thinking', text: 'hmm', signature: 'seal', provider: 'script' },
          { type: 'text', text: 'Let me look.' },
          { type: 'tool_use', call_id: 'call_1_1', name: 'grep', arguments: { pattern: 'x' } },
          { type: 'tool_use', call_id: '', name: 'list', arguments: {} },
        ],
      },
    });
  });

  it.each([
    ['', { arguments: {} }],
    ['{"a":1}', { arguments: { a: 1 } }],
    ['{"a":', { arguments: {}, arguments_text: '{"a":' }],
    ['[1]', { arguments: {}, arguments_text: '[1]' }],
  ])('reads arguments_text %j as a provider’s adapter would', async (text, expected) => {
    const reply = await replyOf(modelOf({ tool_calls: [{ name: 'a', arguments_text: text }] }).respond(requestOf(), callOf()));
    expect(reply.content).toEqual([{ type: 'tool_use', call_id: 'call_1_1', name: 'a', ...expected }]);
  });

  it('ends a text reply with end_turn and takes any other stop reason that the step gives', async () => {
    const model = modelOf({ text: 'a' }, { text: 'a', stop_reason: 'max_tokens' }, {});
    expect((await replyOf(model.respond(requestOf(), callOf()))).stop_reason).toBe('end_turn');
    expect((await replyOf(model.respond(requestOf(), callOf()))).stop_reason).toBe('max_tokens');
    expect(await replyOf(model.respond(requestOf(), callOf()))).toMatchObject({ content: [], stop_reason: 'end_turn' });
  });

  it('streams in pieces of so many characters, names a call once and splits no surrogate pair', async () => {
    const step: ScriptStep = { text: 'ab😀c', tool_calls: [{ name: 'grep', arguments_text: '{"p":1}' }], chunk: 3 };
    const chunks = await chunksOf(modelOf(step).respond(requestOf(), callOf()));
    expect(chunks.slice(1, -1)).toEqual([
      { type: 'text_delta', text: 'ab😀' },
      { type: 'text_delta', text: 'c' },
      { type: 'tool_input_delta', call: 0, name: 'grep', text: '{"p' },
      { type: 'tool_input_delta', call: 0, text: '":1' },
      { type: 'tool_input_delta', call: 0, text: '}' },
    ]);
  });

  it('replies whole where the step does not stream', async () => {
    const answer = modelOf({ text: 'all of it', stream: false }).respond(requestOf(), callOf());
    expect(answer).toBeInstanceOf(Promise);
    expect((await replyOf(answer)).content).toEqual([{ type: 'text', text: 'all of it' }]);
    const { error } = await failureOf(modelOf({ stream: false, cut: true }).respond(requestOf(), callOf()));
    expect(error).toMatchObject({ errorClass: 'network' });
  });
});

describe('usage of a script', () => {
  it('is a token for every four characters of request and reply where the script says nothing', async () => {
    const request = requestOf({
      system: '12345678',
      messages: [message('user', '1234'), ...toolTurn('c1', 'grep', '12345')],
    });
    // 8 + 4 + ('grep{}' 6) + 5 = 23 characters in; 'look' 4 + 'grep{"p":1}' 11 = 15 out.
    const step: ScriptStep = { text: 'look', tool_calls: [{ name: 'grep', arguments: { p: 1 } }] };
    expect((await replyOf(modelOf(step).respond(request, callOf()))).usage).toEqual({
      input_tokens: 6,
      output_tokens: 4,
      cache_read_tokens: 0,
      cache_write_tokens: 0,
      complete: true,
    });
  });

  it('counts tool definitions, and only what grew from one request to the next, with the same sum', async () => {
    const grown = [message('user', 'x'.repeat(40)), ...toolTurn('c1', 'grep', 'y'.repeat(400))];
    const changed = [message('user', 'z'.repeat(80)), ...grown.slice(1)];
    const requests = [grown.slice(0, 1), grown, changed, grown.slice(0, 1)].map((messages) =>
      requestOf({ messages, tools: [tool('grep')] }),
    );
    const one = modelOf({}, {}, {}, {});
    for (const request of requests) {
      const fresh = await replyOf(modelOf({}).respond(request, callOf()));
      expect((await replyOf(one.respond(request, callOf()))).usage).toEqual(fresh.usage);
    }
    const [small, large] = [requestOf(), requestOf({ tools: [tool('grep')] })];
    const tokensOf = async (request: typeof small) => (await replyOf(modelOf({}).respond(request, callOf()))).usage.input_tokens;
    expect(await tokensOf(large)).toBeGreaterThan(await tokensOf(small));
  });

  it('is what the script says, where it does', async () => {
    const usage = { input_tokens: 100, output_tokens: 7, cache_read_tokens: 50, cache_write_tokens: 5, complete: false };
    expect((await replyOf(modelOf({ text: 'x', usage }).respond(requestOf(), callOf()))).usage).toEqual(usage);
  });

  it('tells the input when the stream begins, so that a cut reply has counted', async () => {
    const [first] = await chunksOf(modelOf({ text: 'x', usage: { input_tokens: 100 } }).respond(requestOf(), callOf()));
    expect(first).toEqual({
      type: 'usage',
      usage: { input_tokens: 100, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0, complete: false },
    });
  });
});

describe('failures of a script', () => {
  it('come as a ModelError with everything the script says', async () => {
    const error = { class: 'rate_limit', message: 'slow down', status: 429, retry_after_ms: 2_000 } as const;
    const failure = await failureOf(modelOf({ text: 'never', error }).respond(requestOf(), callOf()));
    expect(failure.chunks).toEqual([]);
    expect(failure.error).toMatchObject({ errorClass: 'rate_limit', message: 'slow down', status: 429, retryAfterMs: 2_000 });
  });

  it.each([
    [1, ['ab']],
    [2, ['ab', 'cd']],
    ['all' as const, ['ab', 'cd', 'e']],
    [9, ['ab', 'cd', 'e']],
  ])('come after %s deltas', async (after, expected) => {
    const step: ScriptStep = { text: 'abcde', chunk: 2, error: { class: 'overloaded', after } };
    const { chunks, error } = await failureOf(modelOf(step).respond(requestOf(), callOf()));
    expect(chunks.filter((chunk) => chunk.type === 'text_delta').map((chunk) => chunk.text)).toEqual(expected);
    expect(error).toMatchObject({ errorClass: 'overloaded', retryable: true });
  });

  it('can be a stream that just ends', async () => {
    const chunks = await chunksOf(modelOf({ text: 'half', cut: true }).respond(requestOf(), callOf()));
    expect(chunks.map((chunk) => chunk.type)).toEqual(['usage', 'text_delta']);
  });

  it.each([
    [{ system_contains: 'rules' }, 'the system prompt should contain "rules" and is missing'],
    [{ last_user_contains: 'bye' }, 'the last user text should contain "bye" and is "hello"'],
    [{ last_result_contains: 'x' }, 'the last tool result should contain "x" and is missing'],
    [{ tools_include: ['grep', 'list'] }, 'the tools should include list and are grep'],
  ])('come when the request is not as expected: %j', async (expectation, problem) => {
    const { error } = await failureOf(modelOf({ text: 'x', expect: expectation }).respond(requestOf({ tools: [tool('grep')] }), callOf()));
    expect(error).toMatchObject({ errorClass: 'invalid_request', message: expect.stringContaining(problem) });
  });

  it('stay away when the request is as expected', async () => {
    const expectation = { system_contains: 'rules', last_user_contains: 'hell', last_result_contains: 'found', tools_include: ['grep'] };
    const request = requestOf({
      system: 'the rules',
      tools: [tool('grep')],
      messages: [message('user', 'hello'), ...toolTurn('c', 'grep', 'found it')],
    });
    await expect(replyOf(modelOf({ expect: expectation }).respond(request, callOf()))).resolves.toBeDefined();
  });
});

describe('waits of a script', () => {
  it('go through the timers: one before the first delta, one between deltas', async () => {
    const timers = manualTimers();
    const model = scriptModel({ steps: [{ text: 'abc', delay_ms: 500, chunk: 1, chunk_delay_ms: 20 }] }, { timers });
    const chunks = chunksOf(model.respond(requestOf(), callOf()));
    const waits: number[] = [];
    for (let count = 1; count <= 3; count += 1) {
      await timers.whenSet('script_wait', count);
      waits.push(...timers.pending.map((timer) => timer.ms));
      timers.fire('script_wait');
    }
    expect((await chunks).map((chunk) => chunk.type)).toEqual(['usage', 'text_delta', 'text_delta', 'text_delta', 'reply']);
    expect(waits).toEqual([500, 20, 20]);
  });

  it('need no timers of a caller: the system’s do', async () => {
    const chunks = await chunksOf(modelOf({ text: 'ab', delay_ms: 1, chunk: 1, chunk_delay_ms: 1 }).respond(requestOf(), callOf()));
    expect(chunks).toHaveLength(4);
  });

  it.each([
    ['before the first delta', { text: 'ab', delay_ms: 1_000 }, 0],
    ['between deltas', { text: 'ab', chunk: 1, chunk_delay_ms: 1_000 }, 2],
  ])('end at once on an abort, %s, and leave no timer behind', async (_where, step, chunksBefore) => {
    const timers = manualTimers();
    const controller = new AbortController();
    const answer = failureOf(scriptModel({ steps: [step] }, { timers }).respond(requestOf(), callOf({ signal: controller.signal })));
    await timers.whenSet('script_wait');
    controller.abort(new Error('stopped by hand'));
    const { chunks, error } = await answer;
    expect(error).toBe(controller.signal.reason);
    expect(chunks).toHaveLength(chunksBefore);
    expect(timers.pending).toEqual([]);
  });

  it.each<[NonNullable<ScriptStep['hang']>, string[]]>([
    [true, []],
    ['before', []],
    ['after', ['usage', 'text_delta']],
  ])('last until an abort where the step hangs (%s)', async (hang, before) => {
    const controller = new AbortController();
    const iterator = iteratorOf(modelOf({ text: 'x', hang }).respond(requestOf(), callOf({ signal: controller.signal })));
    for (const type of before) expect((await iterator.next()).value).toMatchObject({ type });
    const next = iterator.next();
    controller.abort();
    await expect(next).rejects.toBe(controller.signal.reason);
  });

  it('give up when the reader leaves', async () => {
    const timers = manualTimers();
    const iterator = iteratorOf(scriptModel({ steps: [{ delay_ms: 1_000 }] }, { timers }).respond(requestOf(), callOf()));
    const next = iterator.next();
    expect(await iterator.return?.()).toEqual({ done: true, value: undefined });
    expect(await next).toEqual({ done: true, value: undefined });
    expect(timers.pending).toEqual([]);
  });

  it('are not begun for a signal that is aborted already', async () => {
    const controller = new AbortController();
    controller.abort('too late');
    const { error, chunks } = await failureOf(modelOf({ text: 'x' }).respond(requestOf(), callOf({ signal: controller.signal })));
    expect([error, chunks]).toEqual(['too late', []]);
  });
});
