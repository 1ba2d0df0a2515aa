/** A model that has to get ready: when it is asked to, and what becomes of a run whose model cannot. */
import { describe, expect, it } from 'vitest';
import { ConfigError, ModelError } from '../../../src/runtime/errors.ts';
import type { Model } from '../../../src/runtime/ports.ts';
import { deferred, recordingTools, scriptedModel, text, toolCall } from '../../../src/runtime/testing/index.ts';
import { only, start } from './play.ts';

const withPrepare = (prepare: () => Promise<void>, model: Model = scriptedModel([text('ok')])): Model => ({
  provider: model.provider,
  model: 'prepared',
  prepare,
  respond: (request, options) => model.respond(request, options),
});

describe('a model that prepares', () => {
  it('does so before the first iteration, so that no watchdog counts it', async () => {
    const ready = deferred();
    const { run, timers, events } = start([], { agent: { model: withPrepare(() => ready.promise) } });
    await Promise.resolve();
    expect(timers.pending).toEqual([]);
    ready.resolve();
    expect((await run.result).reason).toBe('finished');
    expect(only(await events, 'llm_turn')[0]?.latency_ms).toBe(0);
  });

  it('and cannot ends the run before its first iteration', async () => {
    const { run } = start([], { agent: { model: withPrepare(() => Promise.reject(new Error('no SDK'))) } });
    expect(await run.result).toMatchObject({ reason: 'error', error: { code: 'start_failed', message: 'no SDK' }, iterations: 0 });
  });

  it.each([
    ['its code', new ConfigError('sdk_missing', 'Install it.'), { cause: 'sdk_missing', message: 'Install it.' }],
    [
      'class and status',
      new ModelError('auth', 'No.', { status: 401 }),
      { cause: 'model_auth', message: 'No.', retryable: false, status: 401 },
    ],
    ['its cause where it has no code', new Error('no SDK', { cause: new Error('no disk') }), { cause: 'no disk', message: 'no SDK' }],
  ])('and cannot says why: %s', async (_what, error, told) => {
    const { run } = start([], { agent: { model: withPrepare(() => Promise.reject(error)) } });
    expect((await run.result).error).toEqual({ code: 'start_failed', ...told });
  });

  it('can be left waiting by a stop', async () => {
    const { run } = start([], { agent: { model: withPrepare(() => new Promise(() => {})) } });
    run.stop();
    expect((await run.result).reason).toBe('stopped');
  });

  it('and cannot is refused as a change, and the run goes on', async () => {
    const gate = deferred();
    const tools = recordingTools({ look: { gate: gate.promise } });
    const models = () => withPrepare(() => Promise.reject(new Error('no SDK')));
    const { run, events } = start([toolCall('look'), text('still here')], { tools, agent: { models } });
    await tools.whenStarted('look');
    const receipt = run.modifyConfig({ model: 'other' });
    gate.resolve();
    expect((await run.result).final_content).toBe('still here');
    expect(await receipt.fate).toEqual({ kind: 'rejected', reason: 'model_unavailable' });
    expect(only(await events, 'warning')).toMatchObject([{ code: 'control_rejected', message: expect.stringContaining('no SDK') }]);
  });
});
