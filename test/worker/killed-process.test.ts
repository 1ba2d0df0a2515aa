/** L4 across the death of the whole process: the intent to run a call with an effect is on disk before the call runs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { readRunEvents } from '../../src/node/recording/read-recording-file.ts';

const PROGRAM = fileURLToPath(new URL('../fixtures/worker/record-deaf-run.ts', import.meta.url));

it('a process that is killed while a write tool runs leaves a recording in which the call’s start stands', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'steerloop-kill-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'run.jsonl');
  const program = spawn(process.execPath, ['--import', 'tsx', PROGRAM, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(program.stdout, 'data')) as [Buffer];
  program.kill('SIGKILL');
  await once(program, 'exit');
  process.kill(-Number(line.toString().replace('running ', '')), 'SIGKILL');

  const lines = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text) as { type: string; run_id?: string });
  const runId = lines.find(({ type }) => type === 'run_started')?.run_id ?? '';
  const events = await readRunEvents(path, runId, 1);
  expect(events.at(-1)).toMatchObject({ type: 'tool_started', name: 'group_then_deaf', effect: 'write' });
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
});
