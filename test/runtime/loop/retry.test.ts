/** Promise L9: a flaky provider is survived, and everything that waits ends on time. */
import { describe, expect, it } from 'vitest';
import type { Model } from '../../../src/runtime/ports.ts';
import { startRun } from '../../../src/runtime/start-run.ts';
import { deferred, fail, hang, text, waitForEvent } from '../../../src/runtime/testing/index.ts';
import { only, play, start, types } from './play.ts';

describe('a failed model call', () => {
  it('is made again after a wait that grows, and its text is void', async () => {
    const { run, timers, events } = start([fail('overloaded', { after: 1 }, { text: 'Hello wo' }), fail('network'), text('Hello world')]);
    await timers.whenSet('retry_wait');
    expect(timers.pending).toMatchObject([{ kind: 'retry_wait', ms: 750 }]);
    timers.fire('retry_wait');
    await timers.whenSet('retry_wait', 2);
    expect(timers.pending).toMatchObject([{ kind: 'retry_wait', ms: 1_500 }]);
    timers.fire('retry_wait');
    const result = await run.result;
    expect(result).toMatchObject({ final_content: 'Hello world', iterations: 1 });
    expect(result.messages).toHaveLength(2);
    const all = await events;
    expect(only(all, 'retry').map(({ attempt, error_class, wait_ms }) => [attempt, error_class, wait_ms])).toEqual([
      [1, 'overloaded', 750],
      [2, 'network', 1_500],
    ]);
    expect(only(all, 'text_delta').map(({ attempt, text: said }) => [attempt, said])).toEqual([
      [1, 'Hello wo'],
      [3, 'Hello world'],
    ]);
    expect(only(all, 'llm_turn')).toMatchObject([{ attempts: 3 }]);
  });

  it('ends the run when the attempts are used up, with the class as its code', async () => {
    const { run, timers } = start([fail('server'), fail('server', { message: 'still down' })], { config: { max_attempts: 2 } });
    await timers.whenSet('retry_wait');
    timers.fire('retry_wait');
    expect(await run.result).toMatchObject({ reason: 'error', error: { code: 'model_server', message: 'still down', retryable: true } });
  });

  it('tries five times where nothing is set', async () => {
    const { run, timers, model } = start(Array.from({ length: 5 }, () => fail('timeout')));
    for (let attempt = 1; attempt < 5; attempt++) {
      await timers.whenSet('retry_wait', attempt);
      timers.fire('retry_wait');
    }
    expect((await run.result).reason).toBe('error');
    model.assertDone();
  });

  it.each(['auth', 'invalid_request', 'context_overflow'] as const)('of class %s is not made again', async (errorClass) => {
    const { result, all } = await play([fail(errorClass, { message: 'no', status: 400 })]);
    expect(result).toMatchObject({ reason: 'error', error: { code: `model_${errorClass}`, status: 400, retryable: false } });
    expect(types(all)).toEqual(['run_started', 'iteration_started', 'llm_turn', 'done']);
  });

  it('waits as long as the provider asks', async () => {
    const { run, timers } = start([fail('rate_limit', { retry_after_ms: 59_000 }), text('ok')]);
    await timers.whenSet('retry_wait');
    expect(timers.pending).toMatchObject([{ ms: 59_000 }]);
    timers.fire('retry_wait');
    expect((await run.result).reason).toBe('finished');
  });

  it('surfaces a wait beyond the cap instead of sleeping or shortening it', async () => {
    const { result } = await play([fail('rate_limit', { retry_after_ms: 277_403_000, message: 'quota' })]);
    expect(result).toMatchObject({ reason: 'error', error: { code: 'model_rate_limit', retry_after_ms: 277_403_000 } });
  });

  it('counts its usage, apart from that of the reply', async () => {
    const lost = { input_tokens: 10, output_tokens: 3, cache_read_tokens: 0, cache_write_tokens: 0, complete: true };
    const { run, timers, events } = start([
      fail('overloaded', { after: 1 }, { text: 'x', usage: lost }),
      text('ok', { usage: { ...lost, input_tokens: 20 } }),
    ]);
    await timers.whenSet('retry_wait');
    timers.fire('retry_wait');
    expect((await run.result).usage).toMatchObject({ input_tokens: 30 });
    expect(only(await events, 'retry')[0]?.usage).toMatchObject({ input_tokens: 10, complete: false });
  });

  it('is classified by the hook first', async () => {
    const { run, timers } = start([fail('invalid_request'), text('ok')], { agent: { hooks: { classifyError: () => 'overloaded' } } });
    await timers.whenSet('retry_wait');
    timers.fire('retry_wait');
    expect((await run.result).reason).toBe('finished');
  });

  it('of a model that throws something of its own is an error of the run, not a crash', async () => {
    const model: Model = { provider: 'own', model: 'x', respond: () => Promise.reject(new RangeError('a bug')) };
    const result = await startRun({ model }, 'hi').result;
    expect(result).toMatchObject({ reason: 'error', error: { message: 'a bug' } });
  });

  it('of a model that throws before it returns is one as well', async () => {
    const respond = () => {
      throw Object.assign(new Error('boom'), { status: 401 });
    };
    const result = await startRun({ model: { provider: 'own', model: 'x', respond } }, 'hi').result;
    expect(result).toMatchObject({ reason: 'error', error: { code: 'model_auth', status: 401 } });
  });

  it('that ends without a whole reply is a broken connection', async () => {
    async function* respond() {
      yield { type: 'text_delta' as const, text: 'The answer is' };
    }
    const { run, timers } = start([], { config: { max_attempts: 2 }, agent: { model: { provider: 'own', model: 'x', respond } } });
    await timers.whenSet('retry_wait');
    timers.fire('retry_wait');
    expect(await run.result).toMatchObject({ reason: 'error', error: { code: 'model_network' }, final_content: '' });
  });
});

describe('the watchdog', () => {
  it('gives up a call whose first content does not come, and closes it', async () => {
    const { run, timers, model } = start([hang(), text('ok')]);
    await model.whenCalled();
    expect(timers.pending).toMatchObject([{ kind: 'first_content', ms: 180_000 }]);
    timers.fire('first_content');
    await timers.whenSet('retry_wait');
    expect(model.calls[0]?.signal.aborted).toBe(true);
    timers.fire('retry_wait');
    expect((await run.result).reason).toBe('finished');
  });

  it('counts the gap from the last content', async () => {
    const { run, timers, events } = start([hang('after', { text: 'abcdef', chunk: 3, chunk_delay_ms: 100_000 }), text('ok')]);
    await waitForEvent(run, 'text_delta');
    expect(timers.pending).toContainEqual(expect.objectContaining({ kind: 'content_gap', ms: 120_000 }));
    timers.advance(100_000);
    await waitForEvent(run, 'text_delta', (event) => event.text.endsWith('def'));
    timers.advance(119_999);
    expect(timers.pending.map((timer) => timer.kind)).toContain('content_gap');
    timers.advance(1);
    await timers.whenSet('retry_wait');
    timers.fire('retry_wait');
    await run.result;
    expect(only(await events, 'retry')).toMatchObject([{ error_class: 'timeout', message: expect.stringContaining('120000 ms') }]);
  });

  it('takes its patience from idle_timeout_ms', async () => {
    const { run, timers, model } = start([hang(), text('ok')], { config: { idle_timeout_ms: 1_000 } });
    await model.whenCalled();
    expect(timers.pending).toMatchObject([{ kind: 'first_content', ms: 1_000 }]);
    timers.advance(1_000);
    await timers.whenSet('retry_wait');
    timers.fire('retry_wait');
    expect((await run.result).reason).toBe('finished');
  });

  it('bounds the whole turn, however lively it is', async () => {
    const next = { gate: deferred() };
    async function* respond() {
      for (;;) {
        await next.gate.promise;
        next.gate = deferred();
        yield { type: 'text_delta' as const, text: '.' };
      }
    }
    const { run, timers, clock } = start([], { config: { max_attempts: 1 }, agent: { model: { provider: 'own', model: 'x', respond } } });
    let deltas = 0;
    for await (const event of run.events()) {
      if (event.type === 'iteration_started' || event.type === 'text_delta') {
        deltas += 1;
        if (deltas > 20) break;
        clock.advance(100_000);
        next.gate.resolve();
      }
    }
    while (timers.pending.length > 0 && timers.pending[0]?.kind !== 'turn') timers.advance(1);
    timers.advance(1_800_000);
    expect(await run.result).toMatchObject({ reason: 'error', error: { code: 'model_timeout', message: expect.stringContaining('turn') } });
  });

  it('lets a model that answers in one piece take its time', async () => {
    const gate = deferred();
    const usage = { input_tokens: 1, output_tokens: 1, cache_read_tokens: 0, cache_write_tokens: 0, complete: true };
    const respond = async () => {
      await gate.promise;
      return { content: [{ type: 'text' as const, text: 'slow but whole' }], stop_reason: 'end_turn' as const, usage };
    };
    const { run, timers } = start([], { agent: { model: { provider: 'own', model: 'x', respond } } });
    await timers.whenSet('first_content');
    timers.advance(600_000);
    gate.resolve();
    expect((await run.result).final_content).toBe('slow but whole');
    expect(timers.pending).toEqual([]);
  });
});
