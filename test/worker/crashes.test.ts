/** Case Q1: code in a thread that exits, throws late, spins or eats the heap, beside healthy runs (L2, L8). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openRecording } from '../../src/node/recording/open-recording.ts';
import type { Run } from '../../src/runtime/run.ts';
import { type DurableEvent, isDurable, type RunEvent } from '../../src/runtime/schema/event.ts';
import { collect, manualTimers, waitForEvent } from '../../src/runtime/testing/index.ts';
import { processRuns } from '../support/process-state.ts';
import { recordedEvents } from './support/recorded-events.ts';
import { fixture, threadHost } from './support/thread-host.ts';

const TROUBLE = fixture('trouble-agent');

/** A recording in a folder of its own, closed and removed behind the test. */
async function recordingOfTest() {
  const folder = mkdtempSync(join(tmpdir(), 'steerloop-crash-'));
  const recording = await openRecording({ path: join(folder, 'run.jsonl'), kind: 'run' });
  onTestFinished(async () => {
    await recording.close();
    rmSync(folder, { recursive: true });
  });
  return recording;
}

async function pidOfGroup(run: Run): Promise<number> {
  const { data } = await waitForEvent(run, 'custom', ({ name }) => name === 'group');
  return Number(data);
}

const TROUBLES = {
  exit_0: { code: 'thread_exited', message: expect.stringContaining('process.exit(0)') },
  exit_7: { code: 'thread_exited', message: expect.stringContaining('process.exit(7)') },
  throw_late: { code: 'thread_failed', message: expect.stringContaining('thrown late'), cause: 'RangeError E_LATE' },
  reject: { code: 'thread_failed', message: expect.stringContaining('nobody caught this') },
  eat_heap: { code: 'out_of_memory', message: expect.stringContaining('64 MB') },
};

/** Checks that a recording holds all of a crashed run: what was seen of it live, without a gap, to the host's `done`. */
function expectComplete(recorded: readonly RunEvent[], seen: readonly RunEvent[]): void {
  const durable = recorded.filter(isDurable);
  expect(durable).toEqual(JSON.parse(JSON.stringify(seen.filter(isDurable))));
  expect(durable.map(({ seq }) => seq)).toEqual(durable.map((_, index) => index + 1));
  expect(durable.map(({ type }) => type).slice(-2)).toEqual(['tool_started', 'done']);
  expect(durable.at(-1)).toMatchObject({ origin: 'host' });
}

describe('a thread that dies in a tool', () => {
  it.each([
    ['by exiting or by an error that nothing caught', ['exit_0', 'exit_7', 'throw_late', 'reject']],
    ['by filling its heap', ['eat_heap']],
  ] as const)('%s ends its run as crashed, complete in the recording, and no run beside it notices', async (_how, troubles) => {
    const host = threadHost({ heapMb: 64 });
    const recording = await recordingOfTest();
    const healthy = await Promise.all(['fine', 'fine'].map((input) => host.start({ agent: TROUBLE, input })));
    const bad = await Promise.all(troubles.map((input) => host.start({ agent: TROUBLE, input, recording })));
    const seen = await Promise.all(bad.map((run) => collect(run)));
    const results = await Promise.all(bad.map(({ result }) => result));
    expect(results).toMatchObject(troubles.map((trouble) => ({ reason: 'crashed', error: TROUBLES[trouble] })));
    for (const run of healthy) expect(await run.result).toMatchObject({ reason: 'finished', final_content: 'all is well' });
    await recording.commit();
    const lines = recordedEvents(recording.path);
    for (const [index, { id }] of bad.entries())
      expectComplete(
        lines.filter((line) => line.run_id === id),
        seen[index] ?? [],
      );
    const next = await host.start({ agent: TROUBLE, input: 'fine' });
    expect((await next.result).reason).toBe('finished');
  });

  it('delivers everything that it had sent, in order, before the end', async () => {
    const host = threadHost();
    const run = await host.start({ agent: TROUBLE, input: 'burst' });
    const events = await collect(run);
    const counts = events.filter((event) => event.type === 'custom').map(({ data }) => data);
    expect(events.at(-1)).toMatchObject({ type: 'done', reason: 'crashed' });
    expect(events.filter(({ type }) => type === 'done')).toHaveLength(1);
    expect(counts).toEqual(Array.from({ length: 500 }, (_, index) => index + 1));
  });

  it('shows no key of its agent in what the host says of its end', async () => {
    const run = await threadHost().start({ agent: TROUBLE, input: 'throw_key' });
    expect((await run.result).error?.message).toContain('401 for [redacted]');
  });

  it('takes its process groups with it before `done`', async () => {
    const host = threadHost();
    const run = await host.start({
      agent: TROUBLE,
      input: 'group_then_exit',
      onEvent: (event) => {
        if (event.type === 'custom' && event.name === 'group') pid = Number(event.data);
        if (event.type === 'done') ranAtDone = processRuns(pid);
      },
    });
    let pid = 0;
    let ranAtDone = true;
    expect((await run.result).reason).toBe('crashed');
    expect(pid).toBeGreaterThan(1);
    expect(ranAtDone).toBe(false);
  });
});

describe('a thread that spins', () => {
  it('is ended as crashed when it answers no ping, and as timed out when its limit has passed; others go on', async () => {
    const timers = manualTimers();
    const host = threadHost({ timers, graceMs: 100 });
    const [silent, late, healthy] = await Promise.all([
      host.start({ agent: TROUBLE, input: 'spin' }),
      host.start({ agent: TROUBLE, input: 'spin', config: { timeout_ms: 60_000 } }),
      host.start({ agent: TROUBLE, input: 'fine' }),
    ]);
    expect((await healthy.result).reason).toBe('finished');
    await Promise.all([waitForEvent(silent, 'tool_started'), waitForEvent(late, 'tool_started')]);
    timers.advance(29_000);
    timers.fire('run_timeout');
    await endOf(late, timers);
    await endOf(silent, timers);
    expect(await late.result).toMatchObject({ reason: 'timeout', error: { code: 'unresponsive' } });
    expect(await silent.result).toMatchObject({
      reason: 'crashed',
      error: { code: 'unresponsive', message: expect.stringContaining('30000 ms') },
    });
  });

  it('is ended within the grace when it is stopped', async () => {
    const host = threadHost({ graceMs: 100 });
    const controller = new AbortController();
    const run = await host.start({ agent: TROUBLE, input: 'spin', signal: controller.signal });
    await waitForEvent(run, 'tool_started');
    controller.abort(new Error('enough'));
    expect(await run.result).toMatchObject({ reason: 'stopped' });
    expect((await collect(run)).filter(isDurable).at(-1) satisfies DurableEvent | undefined).toMatchObject({ origin: 'host' });
  });
});

describe('a tool that is deaf to a stop', () => {
  it('is abandoned by the loop within the grace, and its process groups die before `done`', async () => {
    const host = threadHost({ graceMs: 400 });
    const run = await host.start({ agent: TROUBLE, input: 'group_then_deaf' });
    const pid = await pidOfGroup(run);
    expect(processRuns(pid)).toBe(true);
    const { fate } = run.stop();
    expect(await run.result).toMatchObject({ reason: 'stopped' });
    expect(processRuns(pid)).toBe(false);
    expect(await fate).toEqual({ kind: 'applied' });
    const results = (await collect(run)).filter((event) => event.type === 'tool_result');
    expect(results).toMatchObject([{ outcome: 'interrupted' }]);
  });
});

/** Lets the pings of a silent thread run out. */
async function endOf(run: Run, timers: ReturnType<typeof manualTimers>): Promise<void> {
  let over = false;
  void run.result.then(() => (over = true));
  while (!over) {
    timers.advance(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
