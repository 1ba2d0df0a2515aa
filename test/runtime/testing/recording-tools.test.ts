import { describe, expect, it } from 'vitest';
import { deferred, recordingExecutor, recordingTools } from '../../../src/runtime/testing/index.ts';
import type { ToolContext } from '../../../src/runtime/tools/tool.ts';

function contextOf(callId: string, signal = new AbortController().signal): ToolContext {
  return { callId, signal, runId: 'run_1', emit: () => undefined, output: () => undefined, child: () => undefined };
}

describe('recordingExecutor', () => {
  it('answers from a table: a text, a value, a function, or ok', async () => {
    const executor = recordingExecutor({
      plain: 'text',
      value: { answer: { hits: 2 } },
      computed: (args, context, call) => [args, context.callId, call.order],
      bare: {},
    });
    expect(await executor.execute('plain', {}, contextOf('c1'))).toBe('text');
    expect(await executor.execute('value', {}, contextOf('c2'))).toEqual({ hits: 2 });
    expect(await executor.execute('computed', { a: 1 }, contextOf('c3'))).toEqual([{ a: 1 }, 'c3', 3]);
    expect(await executor.execute('bare', {}, contextOf('c4'))).toBe('ok');
  });

  it('records name, arguments, id and order of each call, and how it ended', async () => {
    const executor = recordingExecutor({
      good: 'yes',
      bad: () => {
        throw new Error('no');
      },
    });
    await executor.execute('good', { a: 1 }, contextOf('c1'));
    await expect(executor.execute('bad', {}, contextOf('c2'))).rejects.toThrow('no');
    await expect(executor.execute('missing', {}, contextOf('c3'))).rejects.toThrow('the table has no tool missing; it has good, bad');
    expect(executor.calls).toMatchObject([
      { name: 'good', args: { a: 1 }, callId: 'c1', order: 1, beside: 1, state: 'returned' },
      { name: 'bad', callId: 'c2', order: 2, state: 'threw' },
      { name: 'missing', callId: 'c3', order: 3, state: 'threw' },
    ]);
  });

  it('holds calls at their gate and counts what runs side by side', async () => {
    const gates = new Map([
      ['c1', deferred()],
      ['c2', deferred()],
    ]);
    const executor = recordingExecutor({
      slow: { answer: (_args, context) => context.callId, gate: (call) => gates.get(call.callId)?.promise },
    });
    const running = ['c1', 'c2'].map((callId) => executor.execute('slow', {}, contextOf(callId)));
    await executor.whenStarted('slow', 2);
    expect(executor.calls.map((call) => [call.beside, call.state])).toEqual([
      [1, 'running'],
      [2, 'running'],
    ]);
    gates.get('c2')?.resolve();
    expect(await running[1]).toBe('c2');
    expect(executor.calls.map((call) => call.state)).toEqual(['running', 'returned']);
    gates.get('c1')?.resolve();
    expect(await running[0]).toBe('c1');
    await executor.execute('slow', {}, contextOf('c3'));
    expect(executor.calls.at(-1)?.beside).toBe(1);
    expect(executor.mostAtOnce).toBe(2);
  });

  it('ends a held call at an abort with its reason', async () => {
    const controller = new AbortController();
    const executor = recordingExecutor({ slow: { gate: deferred().promise } });
    const call = executor.execute('slow', {}, contextOf('c1', controller.signal));
    controller.abort(new Error('stopped'));
    await expect(call).rejects.toBe(controller.signal.reason);
    await expect(executor.execute('slow', {}, contextOf('c2', controller.signal))).rejects.toBe(controller.signal.reason);
    expect(executor.calls.map((recorded) => recorded.state)).toEqual(['aborted', 'aborted']);
  });

  it('keeps a deaf tool running through an abort', async () => {
    const controller = new AbortController();
    const gate = deferred();
    const executor = recordingExecutor({ deaf: { gate: gate.promise, deaf: true, answer: 'late' } });
    const call = executor.execute('deaf', {}, contextOf('c1', controller.signal));
    controller.abort();
    gate.resolve();
    expect(await call).toBe('late');
    expect(executor.calls[0]?.state).toBe('returned');
  });
});

describe('recordingTools', () => {
  it('makes tools that let every object through and share one record', async () => {
    const recorded = recordingTools({ read_file: { effect: 'read', answer: 'content' }, write_file: 'written' });
    expect(recorded.tools.map(({ definition }) => [definition.name, definition.effect, definition.interruptible])).toEqual([
      ['read_file', 'read', true],
      ['write_file', 'write', false],
    ]);
    for (const tool of recorded.tools) {
      const checked = await tool.check({ path: 'a' });
      expect(checked).toEqual({ ok: true, value: { path: 'a' } });
      await tool.execute({ path: 'a' }, contextOf(tool.definition.name));
    }
    expect(recorded.calls.map((call) => [call.name, call.args])).toEqual([
      ['read_file', { path: 'a' }],
      ['write_file', { path: 'a' }],
    ]);
    expect(recorded.mostAtOnce).toBe(1);
  });
});
