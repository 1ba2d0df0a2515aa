import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/runtime/errors.ts';
import type { Timers } from '../../../src/runtime/ports.ts';
import { replayRun } from '../../../src/runtime/recording/replay-run.ts';
import type { RunEvent } from '../../../src/runtime/schema/event.ts';
import { thrownBy } from '../../support/thrown-by.ts';
import { sampleRun, stamper, warningEvent } from './sample-events.ts';

/** Timers that note each wait and fire only when told. */
class HeldTimers implements Timers {
  readonly waits: [number, string][] = [];
  cancelled = 0;
  readonly #pending: (() => void)[] = [];

  set(ms: number, kind: string, fire: () => void): () => void {
    this.waits.push([ms, kind]);
    this.#pending.push(fire);
    return () => {
      this.cancelled += 1;
    };
  }

  fireNext(): void {
    this.#pending.shift()?.();
  }
}

/** Timers that note each wait and fire at once. */
function eagerTimers(): { timers: Timers; waits: number[] } {
  const waits: number[] = [];
  const set: Timers['set'] = (ms, _kind, fire) => {
    waits.push(ms);
    fire();
    return () => {};
  };
  return { timers: { set }, waits };
}

async function collect(events: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const all: RunEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

describe('replayRun', () => {
  it('gives the recorded events, the result and the conversation', async () => {
    const run = replayRun(sampleRun(), { speed: 0 });

    expect(run.id).toBe('run_1');
    expect(await collect(run.events())).toEqual(sampleRun());
    expect(await run.result).toMatchObject({
      run_id: 'run_1',
      reason: 'finished',
      final_content: 'In a.ts.',
      usage: { input_tokens: 10 },
      cost_usd: 1,
      iterations: 2,
      tool_calls: 1,
    });
    expect((await run.messages()).map((message) => message.role)).toEqual(['user', 'assistant', 'user', 'assistant']);
    expect((await run.result).messages).toEqual(await run.messages());
  });

  it('serves any number of readers, from the start, from a seq, or from now', async () => {
    const run = replayRun(sampleRun(), { speed: 0 });

    expect(await collect(run.events())).toHaveLength(13);
    expect(await collect(run.events({ from: 'start' }))).toHaveLength(13);
    expect((await collect(run.events({ from: 8 }))).map((event) => event.type)).toEqual(['llm_turn', 'status', 'done']);
    expect(await collect(run.events({ from: 10 }))).toEqual([]);
    expect(await collect(run.events({ from: 'now' }))).toEqual([]);
  });

  it('waits between events as long as it took, divided by the speed and capped', async () => {
    const at = (time: number, seq: number) => ({ ...warningEvent(seq), time });
    const events = [at(1_000, 1), at(1_500, 2), at(1_400, 3), at(1_400, 4), at(61_400, 5)];
    const waitsAt = async (options: { speed?: number; maxWaitMs?: number }) => {
      const { timers, waits } = eagerTimers();
      expect(await collect(replayRun(events, { ...options, timers }).events())).toEqual(events);
      return waits;
    };

    expect(await waitsAt({})).toEqual([500, 60_000]);
    expect(await waitsAt({ speed: 4 })).toEqual([125, 15_000]);
    expect(await waitsAt({ speed: 0.5, maxWaitMs: 2_000 })).toEqual([1_000, 2_000]);
    expect(await waitsAt({ maxWaitMs: 0 })).toEqual([]);
    expect(await waitsAt({ speed: 0 })).toEqual([]);
  });

  it('lets a reader that starts in the middle have its first event at once', async () => {
    const { timers, waits } = eagerTimers();

    await collect(replayRun(sampleRun(), { timers }).events({ from: 9 }));

    expect(waits).toEqual([]);
  });

  it('ends a wait under way when its reader leaves, and leaves other readers alone', async () => {
    const timers = new HeldTimers();
    const run = replayRun(sampleRun(), { timers });
    const leaving = run.events()[Symbol.asyncIterator]();
    const staying = run.events()[Symbol.asyncIterator]();
    await Promise.all([leaving.next(), staying.next()]);

    const pending = [leaving.next(), staying.next()];
    // Both readers are in their wait before the first one leaves.
    while (timers.waits.length < 2) await Promise.resolve();
    await leaving.return?.();

    expect(await pending[0]).toEqual({ value: undefined, done: true });
    expect(timers.cancelled).toBe(1);
    timers.fireNext();
    timers.fireNext();
    expect((await pending[1])?.value).toEqual(sampleRun()[1]);
    expect(timers.waits).toEqual([
      [10, 'replay'],
      [10, 'replay'],
    ]);
    expect(await leaving.next()).toEqual({ value: undefined, done: true });
  });

  it('serves overlapping reads in order', async () => {
    const reader = replayRun(sampleRun(), { speed: 0 }).events()[Symbol.asyncIterator]();

    const answers = await Promise.all(Array.from({ length: 15 }, () => reader.next()));

    expect(answers.slice(0, 13).map((answer) => answer.value)).toEqual(sampleRun());
    expect(answers.slice(13).every((answer) => answer.done)).toBe(true);
  });

  it('refuses every control, since a recorded run is over', async () => {
    const run = replayRun(sampleRun(), { speed: 0 });
    const receipts = [
      run.inject('hello', { id: 'mine' }),
      run.stop(),
      run.modifyConfig({ temperature: 0 }),
      run.decide('allow'),
      run.answer('yes'),
      run.cancelCall('c1'),
      run.send({ type: 'stop' }),
    ];

    expect(receipts[0]?.id).toBe('mine');
    for (const receipt of receipts) {
      expect(await receipt.accepted).toMatchObject({ ok: false, reason: 'run_over' });
      expect(await receipt.fate).toEqual({ kind: 'rejected', reason: 'run_over' });
    }
  });

  it('ends crashed where the recording has no done, with what is known', async () => {
    const stamp = stamper('run_1');
    const events = [
      ...sampleRun().slice(0, 5),
      { ...stamp(1, { type: 'control_received', control_id: 'k', control: { type: 'inject', message: 'psst' } }), seq: 6 },
    ];

    const run = replayRun(events, { speed: 0 });

    expect(await collect(run.events())).toEqual(events);
    expect(await run.result).toMatchObject({
      reason: 'crashed',
      iterations: 1,
      tool_calls: 1,
      usage: { input_tokens: 5, complete: false },
      cost_usd: 0.5,
      unseen: [{ control_id: 'k', message: 'psst' }],
      error: { code: 'recording_incomplete' },
    });
    expect((await run.messages()).at(-1)).toMatchObject({
      role: 'user',
      content: [{ type: 'tool_result', call_id: 'c1', outcome: 'not_run' }],
    });
  });

  it.each<[string, () => unknown, string]>([
    ['no events', () => replayRun([]), 'empty_recording'],
    ['events of two runs', () => replayRun([warningEvent(1, 'a'), warningEvent(1, 'b')]), 'several_runs'],
    ['a negative speed', () => replayRun(sampleRun(), { speed: -1 }), 'invalid_option'],
    ['a speed that is no number', () => replayRun(sampleRun(), { speed: Number.NaN }), 'invalid_option'],
    ['an endless longest wait', () => replayRun(sampleRun(), { maxWaitMs: Number.POSITIVE_INFINITY }), 'invalid_option'],
  ])('refuses %s', (_what, action, code) => {
    const error = thrownBy(action);

    expect(error).toBeInstanceOf(ConfigError);
    expect(error).toMatchObject({ code });
  });
});
