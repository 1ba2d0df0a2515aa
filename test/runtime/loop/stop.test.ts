/** Promise L2: a stop works, whatever the run is waiting for; and stops in each of their two modes. */
import { describe, expect, it } from 'vitest';
import {
  deferred,
  fail,
  hang,
  manualJournal,
  recordingTools,
  scriptedModel,
  text,
  toolCall,
  toolCalls,
  waitForEvent,
} from '../../../src/runtime/testing/index.ts';
import { only, play, said, start, types } from './play.ts';

const never = new Promise<never>(() => {});

describe('stop now', () => {
  it('ends a run that waits for a silent model, closing the connection', async () => {
    const { run, model, events } = start([hang()]);
    await model.whenCalled();
    const receipt = run.stop({ reason: 'enough' });
    const result = await run.result;
    expect(result).toMatchObject({ reason: 'stopped', final_content: '' });
    expect(model.calls[0]?.signal).toMatchObject({ aborted: true, reason: 'enough' });
    expect(await receipt.accepted).toEqual({ ok: true });
    expect(await receipt.fate).toEqual({ kind: 'applied' });
    expect(types(await events)).toEqual(['run_started', 'iteration_started', 'control_received', 'llm_turn', 'control_applied', 'done']);
  });

  it('keeps the text that had streamed once, marked as interrupted, and the next request holds it', async () => {
    const { run, events } = start([hang('after', { text: 'Half an ans' })]);
    await waitForEvent(run, 'text_delta');
    run.stop();
    const result = await run.result;
    expect(result.final_content).toBe('Half an ans');
    expect(result.messages.at(-1)).toMatchObject({
      role: 'assistant',
      interrupted: true,
      content: [{ type: 'text', text: 'Half an ans' }],
    });
    expect(only(await events, 'llm_turn')).toMatchObject([{ interrupted: true, stop_reason: 'interrupted', usage: { complete: false } }]);
    const next = await play([text('done')], { input: [...result.messages, { role: 'user', content: 'go on' }] });
    expect(said(next.model, 0)).toEqual(['user: hello', 'assistant: Half an ans', 'user: go on']);
  });

  it('keeps nothing of a reply of which nothing but blanks had come', async () => {
    const { run } = start([hang('after', { text: '  ' })]);
    await waitForEvent(run, 'text_delta');
    run.stop();
    expect((await run.result).messages.map((message) => message.role)).toEqual(['user']);
  });

  it('ends a retry that sleeps', async () => {
    const { run, timers, model } = start([fail('overloaded')]);
    await timers.whenSet('retry_wait');
    run.stop();
    expect((await run.result).reason).toBe('stopped');
    expect(timers.pending).toEqual([]);
    model.assertDone();
  });

  it('lets a tool that honours its signal settle, and tells what was interrupted from what was not run', async () => {
    const tools = recordingTools({ quick: { answer: 'real', effect: 'read' }, slow: { gate: never }, later: 'x' });
    const { run, events } = start([toolCalls([{ name: 'quick' }, { name: 'slow' }, { name: 'later' }])], { tools });
    await tools.whenStarted('slow');
    run.stop();
    const result = await run.result;
    const results = only(await events, 'tool_result').map(({ name, outcome, is_error }) => [name, outcome, is_error]);
    expect(results).toEqual([
      ['quick', 'ok', false],
      ['slow', 'interrupted', true],
      ['later', 'not_run', true],
    ]);
    expect(tools.calls.map((call) => call.name)).toEqual(['quick', 'slow']);
    const next = await play([text('done')], { tools, input: [...result.messages, { role: 'user', content: 'go on' }] });
    const lines = said(next.model, 0);
    expect(lines.slice(4, 7).map((line) => line.slice(0, 40))).toEqual([
      'user result of call_1_1 (ok): real',
      'user result of call_1_2 (interrupted): T',
      'user result of call_1_3 (not_run): This ',
    ]);
    expect(lines[5]).toContain('may have had effects');
    expect(lines.at(-1)).toBe('user: go on');
  });

  it('abandons a deaf tool when the grace period is over, and not before', async () => {
    const tools = recordingTools({ deaf: { gate: never, deaf: true } });
    const { run, timers, events } = start([toolCall('deaf')], { tools });
    await tools.whenStarted('deaf');
    run.stop();
    await timers.whenSet('grace');
    expect(timers.pending.map(({ kind, ms }) => [kind, ms])).toContainEqual(['grace', 2_000]);
    timers.fire('grace');
    expect((await run.result).reason).toBe('stopped');
    expect(only(await events, 'tool_result')).toMatchObject([{ outcome: 'interrupted' }]);
    expect(timers.pending).toEqual([]);
  });

  it('takes what a tool still says within the grace period into the result of the interrupted call', async () => {
    const gate = deferred();
    const tools = recordingTools({ slow: { gate: gate.promise, deaf: true, answer: 'line 1' } });
    const { run, timers, events } = start([toolCall('slow')], { tools });
    await tools.whenStarted('slow');
    run.stop();
    await timers.whenSet('grace');
    gate.resolve();
    await run.result;
    const [result] = only(await events, 'tool_result');
    expect(result?.outcome).toBe('interrupted');
    expect(result?.content.map((part) => (part.type === 'text' ? part.text : ''))).toEqual([
      expect.stringContaining('interrupted'),
      'line 1',
    ]);
  });

  it('does not start a write call whose intent was being kept when the stop came', async () => {
    const journal = manualJournal();
    const tools = recordingTools({ write: 'x' });
    const gate = deferred();
    const { run, model, events } = start([toolCall('write', {}, { gate: gate.promise })], { tools, journal });
    await model.whenCalled();
    journal.hold();
    gate.resolve();
    const started = await waitForEvent(run, 'tool_started');
    await journal.whenCommitAsked(started.seq);
    run.stop();
    journal.release();
    await run.result;
    expect(tools.calls).toEqual([]);
    expect(only(await events, 'tool_result')).toMatchObject([{ outcome: 'not_run' }]);
  });

  it('ends an idle manual run', async () => {
    const { run } = start([text('hi')], { config: { stop_on: 'manual' } });
    await waitForEvent(run, 'awaiting_input');
    run.stop();
    expect(await run.result).toMatchObject({ reason: 'stopped', final_content: 'hi' });
  });

  it('ends a run that waits for a model to be found, for a tool to get ready, or for arguments to be checked', async () => {
    const found = start([], { config: { model: 'slow:one' }, agent: { models: () => never } });
    const [tool] = recordingTools({ look: 'x' }).tools;
    const preparing = start([], { agent: { tools: tool === undefined ? [] : [{ ...tool, prepare: () => never }] } });
    for (const { run } of [found, preparing]) {
      run.stop();
      expect((await run.result).reason).toBe('stopped');
    }
    const checking = start([toolCall('look')], { agent: { tools: tool === undefined ? [] : [{ ...tool, check: () => never }] } });
    await waitForEvent(checking.run, 'tool_call');
    checking.run.stop();
    expect((await checking.run.result).reason).toBe('stopped');
    expect(only(await checking.events, 'tool_result')).toMatchObject([{ outcome: 'not_run' }]);
  });

  it('leaves nothing behind that a model found too late could write', async () => {
    const late = deferred<ReturnType<typeof scriptedModel>>();
    const { run, events } = start([hang()], { agent: { models: () => late.promise } });
    run.modifyConfig({ model: 'late' });
    await waitForEvent(run, 'control_received');
    run.stop();
    await run.result;
    late.resolve(scriptedModel([]));
    await late.promise;
    await Promise.resolve();
    expect((await events).at(-1)?.type).toBe('done');
    expect(only(await events, 'model_changed')).toEqual([]);
  });

  it('comes from the signal of the caller as well, its reason kept', async () => {
    const controller = new AbortController();
    const { run, model, events } = start([hang()], { signal: controller.signal });
    await model.whenCalled();
    controller.abort(new Error('the page was closed'));
    expect((await run.result).reason).toBe('stopped');
    expect(only(await events, 'control_received')[0]?.control).toEqual({ type: 'stop', reason: 'the page was closed' });
  });

  it('stops a run whose signal was aborted before it began, without a model call', async () => {
    const { run, model, events } = start([], { signal: AbortSignal.abort('too late') });
    expect((await run.result).reason).toBe('stopped');
    expect(model.calls).toEqual([]);
    expect(types(await events)).toEqual(['run_started', 'control_received', 'control_applied', 'done']);
  });

  it('sent before the loop has begun still stands behind run_started', async () => {
    const { run, events } = start([]);
    run.stop();
    await run.result;
    expect(types(await events)[0]).toBe('run_started');
  });
});

describe('stop after this step', () => {
  it('lets the reply and its calls finish and starts no further iteration', async () => {
    const gate = deferred();
    const tools = recordingTools({ look: { gate: gate.promise, answer: 'seen' } });
    const { run, model, events } = start([toolCall('look')], { tools });
    await tools.whenStarted('look');
    const receipt = run.stop({ mode: 'after_step' });
    gate.resolve();
    expect((await run.result).reason).toBe('stopped');
    expect(await receipt.fate).toEqual({ kind: 'applied' });
    expect(only(await events, 'tool_result')).toMatchObject([{ outcome: 'ok' }]);
    model.assertDone();
  });

  it('leaves a run that finishes in this very step finished', async () => {
    const gate = deferred();
    const { run, model } = start([text('the end', { gate: gate.promise })]);
    await model.whenCalled();
    run.stop({ mode: 'after_step' });
    gate.resolve();
    expect(await run.result).toMatchObject({ reason: 'finished', final_content: 'the end' });
  });

  it('ends a retry that sleeps', async () => {
    const { run, timers } = start([fail('overloaded')]);
    await timers.whenSet('retry_wait');
    run.stop({ mode: 'after_step' });
    expect((await run.result).reason).toBe('stopped');
  });

  it('ends an idle manual run as finished', async () => {
    const { run } = start([text('hi')], { config: { stop_on: 'manual' } });
    await waitForEvent(run, 'awaiting_input');
    run.stop({ mode: 'after_step' });
    expect((await run.result).reason).toBe('finished');
  });

  it('gives way to a later stop now', async () => {
    const tools = recordingTools({ slow: { gate: never } });
    const { run, events } = start([toolCall('slow')], { tools });
    await tools.whenStarted('slow');
    const soft = run.stop({ mode: 'after_step' });
    const hard = run.stop();
    expect((await run.result).reason).toBe('stopped');
    expect([await soft.fate, await hard.fate]).toEqual([{ kind: 'applied' }, { kind: 'applied' }]);
    expect(only(await events, 'tool_result')).toMatchObject([{ outcome: 'interrupted' }]);
  });
});
