import { describe, expect, it } from 'vitest';
import { ExitCodeFold } from '../../src/cli/exit-code.ts';
import type { DoneReason } from '../../src/runtime/schema/event.ts';
import { SampleRun } from './support/sample-events.ts';

function codeOf(run: SampleRun): number {
  const fold = new ExitCodeFold();
  for (const event of run.events) fold.add(event);
  return fold.code;
}

function stop(run: SampleRun, reason: string): SampleRun {
  return run.add({ type: 'control_received', control_id: reason, control: { type: 'stop', mode: 'now', reason } });
}

describe('exit codes', () => {
  const table: readonly (readonly [DoneReason, number])[] = [
    ['finished', 0],
    ['error', 1],
    ['crashed', 1],
    ['max_iterations', 3],
    ['timeout', 4],
    ['awaiting_human', 5],
    ['budget', 6],
    ['refused', 7],
    ['truncated', 7],
    ['empty', 7],
    ['stopped', 130],
  ];
  it.each(table)('of a run that ended %s is %i', (reason, code) => {
    expect(codeOf(new SampleRun().start().done({ reason }))).toBe(code);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGPIPE', 141],
    ['enough', 130],
  ])('of a run stopped by %s is %i', (reason, code) => {
    expect(codeOf(stop(new SampleRun().start(), reason).done({ reason: 'stopped' }))).toBe(code);
  });

  it('follow the first signal, and none when the run finished before it', () => {
    expect(codeOf(stop(stop(new SampleRun().start(), 'SIGTERM'), 'SIGINT').done({ reason: 'stopped' }))).toBe(143);
    expect(codeOf(stop(new SampleRun().start(), 'SIGTERM').done())).toBe(0);
  });

  it('of a run that never ended is 1', () => {
    expect(codeOf(new SampleRun().start().iteration())).toBe(1);
  });
});
