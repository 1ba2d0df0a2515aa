/** Threads whose agent does not come, or takes the loop's own tools away: the run ends, with the honest reason (L2, L5, L8). */
import { describe, expect, it } from 'vitest';
import { collect, manualTimers } from '../../src/runtime/testing/index.ts';
import { fixture, threadHost } from './support/thread-host.ts';

describe('a run whose agent', () => {
  it('never loads ends when time limit and patience are over, and says so', async () => {
    const timers = manualTimers();
    const host = threadHost({ timers });
    const run = await host.start({ agent: fixture('never-loading-module'), input: 'x', config: { timeout_ms: 100 } });
    timers.fire('run_timeout');
    expect(await run.result).toMatchObject({
      reason: 'timeout',
      error: { code: 'start_failed', message: expect.stringContaining('had not loaded') },
    });
    expect((await collect(run)).map(({ type }) => type)).toEqual(['done']);
  });

  it('never loads ends when it is stopped', async () => {
    const run = await threadHost({ graceMs: 50 }).start({ agent: fixture('never-loading-module'), input: 'x' });
    run.stop();
    expect((await run.result).reason).toBe('stopped');
  });

  it('needs a package that is missing names the package, and not the agent, as what is missing', async () => {
    const run = await threadHost().start({ agent: fixture('missing-import-module'), input: 'x' });
    expect(await run.result).toMatchObject({
      reason: 'error',
      error: { code: 'start_failed', cause: 'agent_failed', message: expect.stringContaining('a-package-that-is-not-there') },
    });
  });

  it('is an instance of a class keeps its getters and the methods of its hooks', async () => {
    const run = await threadHost().start({ agent: fixture('class-agent'), input: 'x' });
    const events = await collect(run);
    const turn = events.find((event) => event.type === 'llm_turn');
    expect(turn?.request.system).toContain('A prompt from a getter.');
    expect(turn?.request.params).toEqual({ extra_body: { from: 'a method' } });
  });

  it('breaks the loop itself by taking its globals away ends as crashed, and its host can close', async () => {
    const host = threadHost();
    const run = await host.start({ agent: fixture('globals-agent'), input: 'x' });
    expect(await run.result).toMatchObject({ reason: 'crashed', error: { code: 'thread_failed' } });
    await host.close();
  });
});
