/** Promise L4: intent before effect, as far as the journal goes. */
import { describe, expect, it } from 'vitest';
import { deferred, manualJournal, recordingTools, text, toolCall, toolCalls, waitForEvent } from '../../../src/runtime/testing/index.ts';
import { only, play, start } from './play.ts';

describe('the loop waits for its journal', () => {
  it('before a model request leaves', async () => {
    const journal = manualJournal();
    journal.hold();
    const { run, model } = start([text('ok')], { journal });
    const started = await waitForEvent(run, 'iteration_started');
    await journal.whenCommitAsked(started.seq);
    expect(model.calls).toEqual([]);
    journal.release();
    expect((await run.result).reason).toBe('finished');
  });

  it.each(['write', 'idempotent'] as const)('before a %s call runs, its intent kept', async (effect) => {
    const journal = manualJournal();
    const gate = deferred();
    const tools = recordingTools({ act: { effect } });
    const { run, model } = start([toolCall('act', {}, { gate: gate.promise }), text('ok')], { journal, tools });
    await model.whenCalled();
    journal.hold();
    gate.resolve();
    const { seq } = await waitForEvent(run, 'tool_started');
    await journal.whenCommitAsked(seq);
    expect(tools.calls).toEqual([]);
    journal.release();
    expect((await run.result).reason).toBe('finished');
    expect(tools.calls).toHaveLength(1);
  });

  it('but not before a read call runs', async () => {
    const journal = manualJournal();
    const gate = deferred();
    const tools = recordingTools({ look: { effect: 'read' } });
    const { run, model } = start([toolCall('look', {}, { gate: gate.promise }), text('ok')], { journal, tools });
    await model.whenCalled();
    journal.hold();
    gate.resolve();
    await tools.whenStarted('look');
    journal.release();
    expect((await run.result).reason).toBe('finished');
  });

  it('once very many events wait for it, and a stop then runs none of the calls that wait', async () => {
    const journal = manualJournal();
    const gate = deferred();
    const tools = recordingTools({ look: { effect: 'read' } });
    const calls = toolCalls(
      Array.from({ length: 400 }, () => ({ name: 'look' })),
      { gate: gate.promise },
    );
    const { run, model } = start([calls], { journal, tools });
    await model.whenCalled();
    journal.hold();
    gate.resolve();
    await journal.whenCommitAsked(512);
    expect(tools.calls.length).toBeGreaterThan(0);
    expect(tools.calls.length).toBeLessThan(100);
    run.stop();
    journal.release();
    expect((await run.result).tool_calls).toBeLessThan(100);
    expect(tools.calls.length).toBeLessThan(100);
  });

  it('before the result settles, so that done is kept', async () => {
    const journal = manualJournal();
    const gate = deferred();
    const { run, model } = start([text('ok', { gate: gate.promise })], { journal });
    let settled = false;
    void run.result.then(() => (settled = true));
    await model.whenCalled();
    journal.hold();
    gate.resolve();
    await journal.whenCommitAsked(4);
    expect(settled).toBe(false);
    journal.release();
    await run.result;
    expect(journal.events.at(-1)?.type).toBe('done');
  });
});

describe('a journal that never answers', () => {
  it('holds a stopped run up for the grace period and no longer', async () => {
    const journal = manualJournal();
    journal.hold();
    const { run, timers } = start([text('ok')], { journal });
    await journal.whenCommitAsked(2);
    run.stop();
    await timers.whenSet('grace');
    timers.fire('grace');
    expect((await run.result).reason).toBe('stopped');
    expect(timers.pending).toEqual([]);
    journal.release();
  });
});

describe('a journal that cannot be written', () => {
  it('is a warning, and the next write call ends the run', async () => {
    const journal = manualJournal();
    journal.fail(new Error('disk full'));
    const tools = recordingTools({ look: { effect: 'read' }, act: 'x' });
    const { all, result } = await play([toolCall('look'), toolCalls([{ name: 'act' }, { name: 'act' }])], { journal, tools });
    expect(only(all, 'warning')).toMatchObject([{ code: 'journal_unavailable', message: expect.stringContaining('disk full') }]);
    expect(result).toMatchObject({ reason: 'error', error: { code: 'journal_unavailable', message: 'disk full' } });
    expect(tools.calls.map((call) => call.name)).toEqual(['look']);
    expect(only(all, 'tool_result').map((event) => event.outcome)).toEqual(['ok', 'not_run', 'not_run']);
  });

  it('does not stop a run whose caller chose to go on', async () => {
    const journal = manualJournal();
    journal.fail();
    const tools = recordingTools({ act: 'x' });
    const { result } = await play([toolCall('act'), text('ok')], { journal, tools, onJournalError: 'continue' });
    expect(result.reason).toBe('finished');
    expect(tools.calls).toHaveLength(1);
  });

  it('accepts no control as kept', async () => {
    const journal = manualJournal();
    journal.fail();
    const { run } = start([text('ok')], { journal });
    const receipt = run.inject('hi');
    expect(await receipt.accepted).toMatchObject({ ok: false, reason: 'journal_unavailable' });
    expect(await receipt.fate).toEqual({ kind: 'included', iteration: 1 });
    await run.result;
  });
});
