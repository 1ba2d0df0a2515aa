import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { defineAgent } from '../../../src/runtime/agent.ts';
import type { Run } from '../../../src/runtime/run.ts';
import type { RunEvent } from '../../../src/runtime/schema/event.ts';
import { startRun } from '../../../src/runtime/start-run.ts';
import { collect, deferred, fail, scriptedModel, waitForEvent } from '../../../src/runtime/testing/index.ts';

const delta = (text: string): RunEvent => ({ type: 'text_delta', run_id: 'run_1', iteration: 1, time: 0, attempt: 1, text });

async function* eventsOf(...events: RunEvent[]): AsyncGenerator<RunEvent> {
  yield* events;
}

function runOf(...events: RunEvent[]): Pick<Run, 'events'> {
  return { events: () => eventsOf(...events) };
}

describe('collect', () => {
  it('gathers a stream, and the events of a run', async () => {
    expect(await collect(eventsOf(delta('a'), delta('b')))).toEqual([delta('a'), delta('b')]);
    expect(await collect(runOf(delta('a')) as Run)).toEqual([delta('a')]);
  });
});

describe('waitForEvent', () => {
  it('gives the first event of the type that fits', async () => {
    const run = runOf(delta('a'), delta('b'), delta('c'));
    expect(await waitForEvent(run, 'text_delta')).toEqual(delta('a'));
    expect(await waitForEvent(run, 'text_delta', (event) => event.text > 'a')).toEqual(delta('b'));
  });

  it('rejects when the run ends without it', async () => {
    await expect(waitForEvent(runOf(delta('a')), 'tool_started')).rejects.toThrow('the run ended without the tool_started event');
  });

  it('says how a run ended that never did what was waited for', async () => {
    const run = startRun(defineAgent({ model: scriptedModel([fail('auth', { message: 'no such key' })]) }), 'Go.');
    await expect(waitForEvent(run, 'tool_started')).rejects.toThrow('the run ended (error: no such key) without the tool_started event');
  });
});

describe('deferred', () => {
  it('settles by hand, once, and a rejection nobody waits for is no unhandled one', async () => {
    const kept = deferred<number>();
    kept.resolve(1);
    kept.reject(new Error('too late'));
    expect(await kept.promise).toBe(1);
    deferred().reject(new Error('nobody listens'));
    await setImmediate();
    const failed = deferred();
    failed.reject(new Error('somebody listens'));
    await expect(failed.promise).rejects.toThrow('somebody listens');
  });
});
