import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ModelError, SteerloopError } from '../../../src/runtime/errors.ts';
import { deferred, fail, hang, type ScriptedStep, scriptedModel, text, toolCall, toolCalls } from '../../../src/runtime/testing/index.ts';
import { callOf, chunksOf, failureOf, iteratorOf, message, replyOf, requestOf } from '../models/script/request-of.ts';

describe('scriptedModel', () => {
  it('plays the short forms of steps', async () => {
    const model = scriptedModel([
      toolCall('grep', { pattern: 'x' }, { text: 'Looking.' }),
      toolCalls([
        { name: 'a', id: 'c1' },
        { name: 'b', arguments_text: '{' },
      ]),
      fail('overloaded', { after: 1, status: 529 }, { text: 'ab', chunk: 1 }),
      text('done', { stop_reason: 'max_tokens' }),
      hang('after', { text: 'x' }),
    ]);
    expect((await replyOf(model.respond(requestOf(), callOf()))).content).toEqual([
      { type: 'text', text: 'Looking.' },
      { type: 'tool_use', call_id: 'call_1_1', name: 'grep', arguments: { pattern: 'x' } },
    ]);
    expect((await replyOf(model.respond(requestOf(), callOf()))).content).toEqual([
      { type: 'tool_use', call_id: 'c1', name: 'a', arguments: {} },
      { type: 'tool_use', call_id: 'call_2_2', name: 'b', arguments: {}, arguments_text: '{' },
    ]);
    const { chunks, error } = await failureOf(model.respond(requestOf(), callOf()));
    expect(chunks.at(-1)).toEqual({ type: 'text_delta', text: 'a' });
    expect(error).toMatchObject({ errorClass: 'overloaded', status: 529 });
    expect((await replyOf(model.respond(requestOf(), callOf()))).stop_reason).toBe('max_tokens');
    const hanging = iteratorOf(model.respond(requestOf(), callOf()));
    for (const type of ['usage', 'text_delta']) expect((await hanging.next()).value).toMatchObject({ type });
    const never = hanging.next();
    await hanging.return?.();
    expect((await never).done).toBe(true);
    model.assertDone();
  });

  it('replies exactly the blocks of a step, in their order', async () => {
    const content: ScriptedStep['content'] = [
      { type: 'redacted_thinking', data: 'sealed', provider: 'script' },
      { type: 'thinking', text: '', signature: 'seal' },
      { type: 'tool_use', call_id: 'c1', name: 'a', arguments: { text: '{{last_result}}' } },
      { type: 'text', text: '' },
    ];
    const chunks = await chunksOf(scriptedModel([{ content }]).respond(requestOf(), callOf()));
    expect(chunks.map((chunk) => chunk.type)).toEqual(['usage', 'tool_input_delta', 'reply']);
    expect(chunks.at(-1)).toMatchObject({ reply: { content, stop_reason: 'tool_use' } });
  });

  it('lets a function decide a step by the request and the call', async () => {
    const model = scriptedModel([
      text('first'),
      (request, call) => text(`${request.system} ${call.number} ${call.iteration} ${call.attempt}`),
    ]);
    await replyOf(model.respond(requestOf(), callOf()));
    const reply = await replyOf(model.respond(requestOf({ system: 'sys' }), callOf({ iteration: 7, attempt: 3 })));
    expect(reply.content).toEqual([{ type: 'text', text: 'sys 2 7 3' }]);
  });

  it('lets one function play every call, and has no leftovers then', async () => {
    const model = scriptedModel((_request, call) => text(String(call.number)));
    await replyOf(model.respond(requestOf(), callOf()));
    expect((await replyOf(model.respond(requestOf(), callOf()))).content).toEqual([{ type: 'text', text: '2' }]);
    expect(model.leftover).toBe(0);
    model.assertDone();
  });

  it('fails a call with what a step function throws, or with the error of a step, as it is', async () => {
    const error = new TypeError('fetch failed');
    const model = scriptedModel([
      () => {
        throw error;
      },
      { throws: error, text: 'never' },
    ]);
    expect(await failureOf(model.respond(requestOf(), callOf()))).toEqual({ chunks: [], error });
    expect(await failureOf(model.respond(requestOf(), callOf()))).toEqual({ chunks: [], error });
  });

  it('keeps every request and the place of every call', async () => {
    const model = scriptedModel([text('a'), text('b')]);
    const requests = [requestOf({ system: 'one' }), requestOf({ system: 'two' })];
    for (const [index, request] of requests.entries()) await replyOf(model.respond(request, callOf({ iteration: index + 1 })));
    expect(model.requests).toEqual(requests);
    expect(model.calls.map((call) => [call.number, call.iteration, call.attempt])).toEqual([
      [1, 1, 1],
      [2, 2, 1],
    ]);
  });

  it('freezes the requests it was handed, so that a change of one throws', async () => {
    const model = scriptedModel([text('a')]);
    const request = { ...requestOf(), messages: [message('user', 'hi')] };
    model.respond(request, callOf());
    expect(() => request.messages.push(message('user', 'more'))).toThrow(TypeError);
    expect(() => {
      Object.assign(request.messages[0]?.content[0] ?? {}, { text: 'changed' });
    }).toThrow(TypeError);
    expect(model.requests[0]?.messages[0]?.content).toEqual([{ type: 'text', text: 'hi' }]);
  });

  it('keeps and freezes nothing where it is told not to record', () => {
    const model = scriptedModel([text('a')], { record: false });
    const request = requestOf();
    model.respond(request, callOf());
    expect(model.requests).toEqual([]);
    expect(Object.isFrozen(request)).toBe(false);
    model.assertDone();
  });

  it('fails a call that no step stands for, and says so again at the end', async () => {
    const model = scriptedModel([text('a')]);
    await replyOf(model.respond(requestOf(), callOf()));
    const { error } = await failureOf(model.respond(requestOf(), callOf()));
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({
      errorClass: 'invalid_request',
      message: expect.stringContaining('it has 1 step, and this is model call 2'),
    });
    expect(() => model.assertDone()).toThrow(/called once after its last step/);
  });

  it('fails at the end on steps that nobody asked for', () => {
    const model = scriptedModel([text('a'), text('b')]);
    model.respond(requestOf(), callOf());
    expect(model.leftover).toBe(1);
    expect(() => model.assertDone()).toThrow(SteerloopError);
    expect(() => model.assertDone()).toThrow(/1 step\(s\) left/);
  });

  it('tells when it has been called', async () => {
    const model = scriptedModel([text('a'), text('b')]);
    const order: string[] = [];
    const second = model.whenCalled(2).then(() => order.push('second'));
    model.respond(requestOf(), callOf());
    await model.whenCalled();
    order.push('first');
    model.respond(requestOf(), callOf());
    await second;
    expect(order).toEqual(['first', 'second']);
  });
});

describe('steps driven by hand', () => {
  it('wait at their gate, and fail when it is rejected', async () => {
    const gate = deferred();
    const shut = deferred();
    const model = scriptedModel([text('through', { gate: gate.promise }), text('never', { gate: shut.promise })]);
    const order: string[] = [];
    const reply = replyOf(model.respond(requestOf(), callOf())).then(() => order.push('reply'));
    await model.whenCalled();
    order.push('opened');
    gate.resolve();
    await reply;
    expect(order).toEqual(['opened', 'reply']);
    shut.reject(new Error('shut'));
    expect(await failureOf(model.respond(requestOf(), callOf()))).toMatchObject({ chunks: [], error: { message: 'shut' } });
  });

  it('hold each delta until it is let go', async () => {
    const gates = [deferred(), deferred(), deferred()];
    const asked: number[] = [];
    const pace = (delta: number) => {
      asked.push(delta);
      return gates[delta]?.promise;
    };
    const iterator = iteratorOf(scriptedModel([text('abc', { chunk: 1, pace })]).respond(requestOf(), callOf()));
    await iterator.next();
    const first = iterator.next();
    expect(asked).toEqual([0]);
    gates[0]?.resolve();
    expect((await first).value).toEqual({ type: 'text_delta', text: 'a' });
    gates[1]?.reject(new Error('socket hang up'));
    await expect(iterator.next()).rejects.toThrow('socket hang up');
    expect(asked).toEqual([0, 1]);
  });

  it('end at an abort while they wait', async () => {
    const controller = new AbortController();
    const model = scriptedModel([text('never', { gate: deferred().promise })]);
    const next = iteratorOf(model.respond(requestOf(), callOf({ signal: controller.signal }))).next();
    controller.abort('cut');
    await expect(next).rejects.toBe('cut');
  });

  it('take no notice of an abort, nor of a reader that leaves, where they are deaf', async () => {
    const gate = deferred();
    const controller = new AbortController();
    const iterator = iteratorOf(
      scriptedModel([text('late', { gate: gate.promise, deaf: true })]).respond(requestOf(), callOf({ signal: controller.signal })),
    );
    const order: string[] = [];
    const next = iterator.next().then(() => order.push('chunk'));
    controller.abort();
    const left = iterator.return?.().then(() => order.push('left'));
    await setImmediate();
    order.push('gate');
    gate.resolve();
    await Promise.all([next, left]);
    expect(order[0]).toBe('gate');
    expect(order).toHaveLength(3);
  });
});

describe('a very long reply', () => {
  it('arrives in a hundred thousand deltas', async () => {
    const answer = scriptedModel([text('x'.repeat(100_000), { chunk: 1 })], { record: false }).respond(requestOf(), callOf());
    const chunks = await chunksOf(answer);
    expect(chunks).toHaveLength(100_002);
  });
});
