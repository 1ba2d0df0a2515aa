/** Runs commands in tests: real processes, and a record of what the call told while it ran. */
import { expect } from 'vitest';
import type { Command, CommandRun } from '../../../src/node/command/command.ts';
import { runCommand } from '../../../src/node/command/run-command.ts';
import type { Timers } from '../../../src/runtime/ports.ts';
import { type Deferred, deferred } from '../../../src/runtime/testing/deferred.ts';
import { livingInGroup } from './living-processes.ts';

/** A command on its way. */
export interface RunningCommand {
  readonly run: Promise<CommandRun>;
  /** What the call listens to. */
  readonly signal: AbortSignal;
  /** Aborts the call. */
  abort(reason: unknown): void;
  /** Resolves once the output so far contains `text`. */
  printed(text: string): Promise<void>;
  /** Output so far, as it was streamed. */
  readonly streamed: string;
  /** What was told of the process group, in order. */
  readonly group: readonly (readonly [pid: number, state: string])[];
  /** Resolves when nothing of the group is alive; fails the test when something stays. */
  expectDead(): Promise<void>;
}

const ENV = { PATH: process.env['PATH'] ?? '/usr/bin:/bin' };

/** Starts a command; by default with PATH, a long timeout and a cap of 64 KiB. */
export function start(argv: readonly string[], options: Partial<Command> & { timers?: Timers; abortedWith?: string } = {}): RunningCommand {
  const { timers, abortedWith, ...command } = options;
  const controller = new AbortController();
  if (abortedWith !== undefined) controller.abort(abortedWith);
  const group: [number, string][] = [];
  const waiting: { text: string; reached: Deferred<void> }[] = [];
  let streamed = '';
  const announce = (): void => {
    for (const { text, reached } of waiting) if (streamed.includes(text)) reached.resolve();
  };
  const run = runCommand(
    { argv, env: ENV, timeoutMs: 3_600_000, maxOutputBytes: 65_536, ...command },
    {
      signal: controller.signal,
      ...(timers !== undefined && { timers }),
      output: (text) => {
        streamed += text;
        announce();
      },
      child: (pid, state) => void group.push([pid, state]),
    },
  );
  return {
    run,
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    printed: (text) => {
      const reached = deferred<void>();
      waiting.push({ text, reached });
      announce();
      return reached.promise;
    },
    get streamed() {
      return streamed;
    },
    group,
    async expectDead() {
      const [leader] = group;
      if (leader === undefined) throw new Error('no process group was reported');
      await expect.poll(() => livingInGroup(leader[0])).toEqual([]);
    },
  };
}

/** A command that a shell reads, so that a test can write small programs. */
export function shell(program: string, ...args: string[]): readonly string[] {
  return ['sh', '-c', program, 'sh', ...args];
}
