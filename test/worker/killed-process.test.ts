/** L4 across the death of the whole process: the intent to run a call with an effect is on disk before the call runs. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { isDurable } from '../../src/runtime/schema/event.ts';
import { processRuns } from '../support/process-state.ts';
import { recordedEvents } from './support/recorded-events.ts';

const PROGRAM = fileURLToPath(new URL('../fixtures/worker/record-deaf-run.ts', import.meta.url));

/** The pid of the process group that the tool has started, once the tool runs. */
async function pidOfGroup(program: ChildProcess & { stdout: Readable }): Promise<number> {
  const ended = once(program, 'exit').then(([code]) => Promise.reject(new Error(`the program ended early, with ${code}`)));
  const [line] = (await Promise.race([once(program.stdout, 'data'), ended])) as [Buffer];
  return Number(line.toString().replace('running ', ''));
}

/** A program in the middle of a run whose tool has started a process group. */
async function programInFlight() {
  const folder = mkdtempSync(join(tmpdir(), 'steerloop-kill-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'run.jsonl');
  const program = spawn(process.execPath, ['--import', 'tsx', PROGRAM, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  return { program, path, group: await pidOfGroup(program) };
}

it('a process that is killed while a write tool runs leaves a recording in which the start of the call stands', async () => {
  const { program, path, group } = await programInFlight();
  const exit = once(program, 'exit');
  program.kill('SIGKILL');
  await exit;
  process.kill(-group, 'SIGKILL');

  const events = recordedEvents(path).filter(isDurable);
  expect(events.at(-1)).toMatchObject({ type: 'tool_started', name: 'group_then_deaf', effect: 'write' });
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
});

it('a process that exits in the middle of a run takes the process groups of its tools with it', async () => {
  const { program, group } = await programInFlight();
  const exit = once(program, 'exit');
  program.kill('SIGTERM');
  expect(await exit).toEqual([9, null]);
  await expect.poll(() => processRuns(group)).toBe(false);
});
