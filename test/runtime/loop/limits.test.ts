/** Promise L5: limits are checked before anything is spent. */
import { describe, expect, it } from 'vitest';
import type { EstimateCost } from '../../../src/runtime/ports.ts';
import { deferred, fail, hang, recordingTools, text, toolCall, toolCalls, waitForEvent } from '../../../src/runtime/testing/index.ts';
import { only, play, start } from './play.ts';

const usage = (input: number, output: number) => ({
  input_tokens: input,
  output_tokens: output,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  complete: true,
});

describe('a limit', () => {
  it('of iterations ends the run before the next one, the last reply being the answer', async () => {
    const tools = recordingTools({ look: 'x' });
    const { all, result } = await play([toolCall('look', {}, { text: 'first' }), toolCall('look', {}, { text: 'second' })], {
      tools,
      config: { max_iterations: 2 },
    });
    expect(result).toMatchObject({ reason: 'max_iterations', iterations: 2, final_content: 'second' });
    expect(only(all, 'limit_reached')).toMatchObject([{ limit: 'max_iterations', limit_value: 2, spent: 2 }]);
    expect(only(all, 'iteration_started')).toHaveLength(2);
  });

  it('of iterations is 32 where none is set', async () => {
    const tools = recordingTools({ look: 'x' });
    const { result } = await play(
      Array.from({ length: 32 }, () => toolCall('look')),
      { tools },
    );
    expect(result).toMatchObject({ reason: 'max_iterations', iterations: 32 });
  });

  it('of tool calls runs those that fit and tells the model which were not run', async () => {
    const tools = recordingTools({ look: 'x' });
    const calls = toolCalls([{ name: 'look' }, { name: 'look' }, { name: 'look' }]);
    const { all, result } = await play([toolCall('look'), calls], { tools, config: { max_tool_calls: 3 } });
    expect(result).toMatchObject({ reason: 'budget', tool_calls: 3 });
    expect(only(all, 'tool_result').map((event) => event.outcome)).toEqual(['ok', 'ok', 'ok', 'not_run']);
    expect(only(all, 'limit_reached')).toMatchObject([{ limit: 'max_tool_calls', limit_value: 3, spent: 3 }]);
  });

  it('of tokens counts what a call may take before it is made', async () => {
    const tools = recordingTools({ look: 'x' });
    const config = { max_total_tokens: 10_000, max_output_tokens: 1_000 };
    const { all, result, model } = await play([toolCall('look', {}, { usage: usage(8_000, 500) })], { tools, config });
    expect(result).toMatchObject({ reason: 'budget' });
    expect(model.calls).toHaveLength(1);
    const [reached] = only(all, 'limit_reached');
    expect(reached).toMatchObject({ limit: 'max_total_tokens', spent: 8_500 });
    expect(reached?.reserved).toBeGreaterThan(9_500);
  });

  it('of tokens reserves 8192 of output where no output limit is set', async () => {
    const { all } = await play([], { config: { max_total_tokens: 8_192 } });
    expect(only(all, 'limit_reached')[0]?.reserved).toBeGreaterThan(8_192);
  });

  it('of tokens counts failed attempts', async () => {
    const config = { max_total_tokens: 20_000, max_output_tokens: 100 };
    const { run, timers, model } = start([fail('overloaded', { after: 1 }, { text: 'lost', usage: usage(19_950, 0) })], { config });
    await timers.whenSet('retry_wait');
    timers.fire('retry_wait');
    const result = await run.result;
    expect(model.calls).toHaveLength(1);
    expect(result.reason).toBe('budget');
    expect(result.usage.input_tokens).toBe(19_950);
  });

  it('of cost is kept by the price of the call to come', async () => {
    const estimateCost: EstimateCost = Object.assign(
      ({ usage: used }: { usage: { input_tokens: number; output_tokens: number } }) => (used.input_tokens + used.output_tokens) / 1_000,
      { source: 'test' },
    );
    const tools = recordingTools({ look: 'x' });
    const config = { max_cost_usd: 2, max_output_tokens: 100 };
    const { all, result } = await play([toolCall('look', {}, { usage: usage(900, 100) })], {
      tools,
      config,
      agent: { hooks: { estimateCost } },
    });
    expect(result).toMatchObject({ reason: 'budget', cost_usd: 1 });
    expect(only(all, 'limit_reached')).toMatchObject([{ limit: 'max_cost_usd', spent: 1 }]);
    expect(only(all, 'run_started')[0]?.prices).toBe('test');
  });

  it('of cost without a price is refused before the start', () => {
    expect(() => start([], { config: { max_cost_usd: 1 } })).toThrow(expect.objectContaining({ code: 'price_unknown' }));
    const hooks = { estimateCost: () => null };
    expect(() => start([], { config: { max_cost_usd: 1 }, agent: { hooks } })).toThrow(/script:scripted/);
  });

  it('of time ends whatever runs then, and says so', async () => {
    const tools = recordingTools({ slow: { gate: new Promise(() => {}) } });
    const { run, timers, events } = start([toolCall('slow')], { tools, config: { timeout_ms: 5_000 } });
    await tools.whenStarted('slow');
    timers.fire('run_timeout');
    expect((await run.result).reason).toBe('timeout');
    expect(only(await events, 'limit_reached')).toMatchObject([{ limit: 'timeout_ms', limit_value: 5_000, spent: 5_000 }]);
    expect(only(await events, 'tool_result')).toMatchObject([{ outcome: 'interrupted' }]);
  });

  it('of time counts while a manual run is idle, and moves with a change of settings', async () => {
    const { run, timers } = start([text('hi'), text('again')], { config: { stop_on: 'manual', timeout_ms: 5_000 } });
    await waitForEvent(run, 'awaiting_input');
    timers.advance(3_000);
    run.modifyConfig({ timeout_ms: 10_000 });
    run.inject('more');
    await waitForEvent(run, 'awaiting_input', (event) => event.iteration === 2);
    expect(timers.pending).toMatchObject([{ kind: 'run_timeout', ms: 7_000 }]);
    timers.fire('run_timeout');
    expect((await run.result).reason).toBe('timeout');
  });

  it('leaves no timer behind', async () => {
    const { timers } = await play([text('hi')], { config: { timeout_ms: 5_000 } });
    expect(timers.pending).toEqual([]);
  });
});

describe('the cost of a run', () => {
  it('is unknown, not 0, where prices are not known', async () => {
    expect((await play([text('hi')])).result.cost_usd).toBeNull();
  });

  it('is unknown as soon as one call is', async () => {
    const gate = deferred();
    let known = true;
    const hooks = { estimateCost: () => (known ? 1 : null) };
    const tools = recordingTools({ look: { gate: gate.promise } });
    const { run } = start([toolCall('look'), text('hi')], { tools, agent: { hooks } });
    await tools.whenStarted('look');
    known = false;
    gate.resolve();
    expect((await run.result).cost_usd).toBeNull();
  });

  it('is unknown where the price function throws', async () => {
    const estimateCost = () => {
      throw new Error('no table');
    };
    expect((await play([text('hi')], { agent: { hooks: { estimateCost } } })).result.cost_usd).toBeNull();
  });
});

describe('a stop and a limit', () => {
  it('of which the stop came first end the run as stopped', async () => {
    const { run, model, timers } = start([hang()], { config: { timeout_ms: 100 } });
    await model.whenCalled();
    run.stop();
    timers.advance(100);
    expect((await run.result).reason).toBe('stopped');
  });

  it('of which the limit came first end the run as timed out', async () => {
    const { run, model, timers } = start([hang()], { config: { timeout_ms: 100 } });
    await model.whenCalled();
    timers.fire('run_timeout');
    const stop = run.stop();
    expect((await run.result).reason).toBe('timeout');
    expect(await stop.fate).toEqual({ kind: 'applied' });
  });
});
