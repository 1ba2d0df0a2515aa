/** Controls in flight: acceptance is journaled, and every accepted control has exactly one fate (L1). */
import { describe, expect, it } from 'vitest';
import type { Control } from '../../../src/runtime/schema/control.ts';
import { deferred, fail, hang, manualJournal, recordingTools, scriptedModel, text, toolCall } from '../../../src/runtime/testing/index.ts';
import { only, play, said, start, types } from './play.ts';

describe('inject next_step', () => {
  it('reaches the next request behind all results of this iteration, in the order of sending', async () => {
    const gate = deferred();
    const tools = recordingTools({ slow: { gate: gate.promise, answer: '21 degrees' } });
    const { run, model, events } = start([toolCall('slow'), text('ok')], { tools });
    await tools.whenStarted('slow');
    const first = run.inject('use metric units');
    const second = run.inject('and be short', { id: 'mine' });
    gate.resolve();
    await run.result;
    expect(said(model, 1).slice(2)).toEqual(['user result of call_1_1 (ok): 21 degrees', 'user: use metric units', 'user: and be short']);
    expect(await first.accepted).toEqual({ ok: true });
    expect([await first.fate, await second.fate]).toEqual([
      { kind: 'included', iteration: 2 },
      { kind: 'included', iteration: 2 },
    ]);
    expect(second.id).toBe('mine');
    const applied = only(await events, 'control_applied').map((event) => event.seq);
    const turn = only(await events, 'llm_turn')[1]?.seq ?? 0;
    expect(applied.every((seq) => seq < turn)).toBe(true);
  });

  it('keeps a run going that would have finished', async () => {
    const gate = deferred();
    const { run, model } = start([text('the end', { gate: gate.promise }), text('one more thing')]);
    await model.whenCalled();
    run.inject('and the rest?');
    gate.resolve();
    expect(await run.result).toMatchObject({ reason: 'finished', final_content: 'one more thing', iterations: 2 });
    expect(said(model, 1)).toEqual(['user: hello', 'assistant: the end', 'user: and the rest?']);
  });

  it('reaches the next attempt of the same iteration when it comes during a retry wait', async () => {
    const { run, model, timers, events } = start([fail('overloaded'), text('ok')]);
    await timers.whenSet('retry_wait');
    const receipt = run.inject('hurry');
    timers.fire('retry_wait');
    await run.result;
    expect(await receipt.fate).toEqual({ kind: 'included', iteration: 1 });
    expect(said(model, 1)).toEqual(['user: hello', 'user: hurry']);
    expect(only(await events, 'iteration_started')).toHaveLength(1);
  });

  it('is given back, its text with it, when the run ends before a request could hold it', async () => {
    const { run, model, events } = start([hang()]);
    await model.whenCalled();
    const receipt = run.inject([{ type: 'text', text: 'too late' }]);
    run.stop();
    const result = await run.result;
    expect(await receipt.fate).toEqual({ kind: 'returned', reason: 'run_ended', text: 'too late' });
    expect(result.unseen).toEqual([{ control_id: receipt.id, message: [{ type: 'text', text: 'too late' }] }]);
    expect(types(await events).slice(-3)).toEqual(['control_applied', 'control_applied', 'done']);
  });
});

describe('modify_config', () => {
  it('takes effect from the next request on', async () => {
    const gate = deferred();
    const tools = recordingTools({ look: { gate: gate.promise } });
    const { run, model } = start([toolCall('look'), text('ok')], { tools, config: { temperature: 1 } });
    await tools.whenStarted('look');
    const receipt = run.modifyConfig({ temperature: 0.2, max_output_tokens: 100 });
    gate.resolve();
    await run.result;
    expect(await receipt.fate).toEqual({ kind: 'applied' });
    expect(model.requests.map((request) => request.params)).toEqual([{ temperature: 1 }, { temperature: 0.2, max_output_tokens: 100 }]);
  });

  it('raises a limit in time', async () => {
    const gate = deferred();
    const tools = recordingTools({ look: { gate: gate.promise } });
    const { run } = start([toolCall('look'), text('ok')], { tools, config: { max_iterations: 1 } });
    await tools.whenStarted('look');
    run.modifyConfig({ max_iterations: 2 });
    gate.resolve();
    expect((await run.result).reason).toBe('finished');
  });

  it('changes the model by its name, and refuses a name that nobody resolves', async () => {
    const gate = deferred();
    const tools = recordingTools({ look: { gate: gate.promise } });
    const other = scriptedModel([text('from the other')], { model: 'other' });
    const models = (spec: string) => {
      if (spec === 'script:other') return other;
      throw new Error(`no model ${spec}`);
    };
    const { run, events } = start([toolCall('look')], { tools, agent: { models } });
    await tools.whenStarted('look');
    const bad = run.modifyConfig({ model: 'script:missing' });
    const good = run.modifyConfig({ model: 'script:other' });
    gate.resolve();
    expect((await run.result).final_content).toBe('from the other');
    expect(await bad.fate).toEqual({ kind: 'rejected', reason: 'model_unavailable' });
    expect(await good.fate).toEqual({ kind: 'applied' });
    expect(only(await events, 'model_changed')).toMatchObject([{ model: { provider: 'script', model: 'other' } }]);
  });

  it('that the provider refuses is taken back with a warning, and the request made again', async () => {
    const gate = deferred();
    const tools = recordingTools({ look: { gate: gate.promise } });
    const { run, model, events } = start([toolCall('look'), fail('invalid_request', { message: 'temperature too high' }), text('ok')], {
      tools,
    });
    await tools.whenStarted('look');
    run.modifyConfig({ temperature: 1.9, max_iterations: 9 });
    gate.resolve();
    expect((await run.result).reason).toBe('finished');
    expect(model.requests.map((request) => request.params)).toEqual([{}, { temperature: 1.9 }, {}]);
    expect(only(await events, 'warning')).toMatchObject([{ code: 'config_refused', config: { max_iterations: 9 } }]);
  });

  it('is not blamed for a refusal once a reply has come with it', async () => {
    const gate = deferred();
    const tools = recordingTools({ look: { gate: gate.promise }, again: 'x' });
    const { run, events } = start([toolCall('look'), toolCall('again'), fail('invalid_request', { message: 'no' })], { tools });
    await tools.whenStarted('look');
    run.modifyConfig({ temperature: 1 });
    gate.resolve();
    expect((await run.result).reason).toBe('error');
    expect(only(await events, 'warning')).toEqual([]);
  });
});

describe('a receipt', () => {
  it('is accepted only once the journal has kept the control', async () => {
    const journal = manualJournal();
    const { run, model } = start([hang()], { journal });
    await model.whenCalled();
    journal.hold();
    const receipt = run.inject('hi');
    let accepted = false;
    void receipt.accepted.then(() => (accepted = true));
    await journal.whenCommitAsked(3);
    expect(accepted).toBe(false);
    journal.release();
    expect(await receipt.accepted).toEqual({ ok: true });
    run.stop();
    await run.result;
  });

  it('is the same for the same id and content, and refused for the same id with other content', async () => {
    const { run, model, events } = start([hang()]);
    await model.whenCalled();
    const first = run.inject('hi', { id: 'one' });
    expect(run.inject('hi', { id: 'one' })).toBe(first);
    const other = run.inject('ho', { id: 'one' });
    expect(await other.accepted).toMatchObject({ ok: false, reason: 'id_reused' });
    expect(await other.fate).toEqual({ kind: 'rejected', reason: 'id_reused' });
    run.stop();
    await run.result;
    expect(only(await events, 'control_received').filter((event) => event.control_id === 'one')).toHaveLength(1);
  });

  it('says that the queue is full, and a stop gets through all the same', async () => {
    const { run, model } = start([hang()]);
    await model.whenCalled();
    for (let count = 0; count < 64; count++) run.inject(`message ${count}`);
    expect(await run.inject('one too many').accepted).toMatchObject({ ok: false, reason: 'queue_full' });
    const stop = run.stop();
    const result = await run.result;
    expect(await stop.accepted).toEqual({ ok: true });
    expect(result.unseen).toHaveLength(64);
  });

  it('says that the run is over', async () => {
    const { run } = await play([text('end')]);
    expect(await run.inject('hello?').accepted).toMatchObject({ ok: false, reason: 'run_over' });
    expect(await run.stop().fate).toEqual({ kind: 'rejected', reason: 'run_over' });
  });

  it.each([
    [{ type: 'inject' }, 'message'],
    [{ type: 'inject', message: '  ' }, 'message'],
    [{ type: 'inject', message: 'hi', urgent: true }, 'urgent'],
    [{ type: 'modify_config', max_iterations: 0 }, 'max_iterations'],
    [{ type: 'halt' }, 'type'],
    [null, ''],
  ])('refuses the control %j and names what is wrong', async (control, name) => {
    const { run } = start([text('end')]);
    const { accepted } = run.send(control as Control);
    expect(await accepted).toMatchObject({ ok: false, reason: 'invalid', message: expect.stringContaining(name) });
    await run.result;
  });
});
