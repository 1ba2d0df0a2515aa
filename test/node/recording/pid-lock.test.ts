import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openRecording } from '../../../src/node/recording/open-recording.ts';
import { takePidLock } from '../../../src/node/recording/pid-lock.ts';
import { readRecordingFile } from '../../../src/node/recording/read-recording-file.ts';
import { ConfigError } from '../../../src/runtime/errors.ts';
import { runsOf } from '../../../src/runtime/recording/runs-of.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const program = fileURLToPath(new URL('./recording-program.ts', import.meta.url));
/** Above what any kernel gives out. */
const NO_PID = 2 ** 30;

async function startWriter(path: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--import', 'tsx', program, 'hold', path], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  if (child.stdout === null) throw new Error('the child has no stdout');
  const [line] = await once(createInterface(child.stdout), 'line');
  expect(line).toBe(String(child.pid));
  return child;
}

function lockText(changes: Record<string, unknown>): string {
  return `${JSON.stringify({ pid: NO_PID, host: hostname(), time: Date.now(), id: 'x', ...changes })}\n`;
}

function refusal(path: string): unknown {
  try {
    takePidLock(path).release();
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('the lock of a recording', () => {
  it('refuses a second process while the first writes, by pid and file, and is free when that has closed', async () => {
    const path = join(temporaryDirectory(), 'run.jsonl');
    const writer = await startWriter(path);

    const error = await openRecording({ path, kind: 'run' }).catch((reason: unknown) => reason);

    expect(error).toBeInstanceOf(ConfigError);
    expect(error).toMatchObject({ code: 'recording_locked' });
    for (const part of [`process ${writer.pid}`, path, `${path}.lock`]) expect(String(error)).toContain(part);

    const exited = once(writer, 'exit');
    writer.stdin?.end();
    expect(await exited).toEqual([0, null]);
    expect(existsSync(`${path}.lock`)).toBe(false);
    await openRecording({ path, kind: 'run' }).then((recording) => recording.close());
  });

  it('is taken over from a process that was killed, and what that had committed stands', async () => {
    const path = join(temporaryDirectory(), 'run.jsonl');
    const writer = await startWriter(path);
    const exited = once(writer, 'exit');
    writer.kill('SIGKILL');
    await exited;
    expect(existsSync(`${path}.lock`)).toBe(true);

    const recording = await openRecording({ path, kind: 'run' });
    await recording.close();

    const { lines, warnings } = await readRecordingFile(path);
    expect(runsOf(lines)).toEqual([`run_of_${writer.pid}`]);
    expect(warnings).toEqual([]);
    expect(readdirSync(join(path, '..'))).toEqual(['run.jsonl']);
  });

  it('refuses a second writer in the same process', () => {
    const path = join(temporaryDirectory(), 'run.jsonl');
    const lock = takePidLock(path);

    expect(refusal(path)).toMatchObject({ code: 'recording_locked', message: expect.stringContaining(`process ${process.pid};`) });

    lock.release();
    lock.release();
    expect(refusal(path)).toBeUndefined();
  });

  it('is taken over from an earlier process with the same pid, as in a container', () => {
    const path = join(temporaryDirectory(), 'run.jsonl');
    const beforeThisProcess = Date.now() - process.uptime() * 1_000 - 60_000;
    writeFileSync(`${path}.lock`, lockText({ pid: process.pid, time: beforeThisProcess }));

    expect(refusal(path)).toBeUndefined();
  });

  it.each<[string, string, string]>([
    ['of another host, whose processes cannot be seen', lockText({ host: 'elsewhere' }), 'on "elsewhere"'],
    ['that is half written', '{"pid":12', 'another process'],
    ['that names no process', lockText({ pid: -1 }), 'process -1'],
  ])('stands for a person to judge when it is one %s', (_what, content, part) => {
    const path = join(temporaryDirectory(), 'run.jsonl');
    writeFileSync(`${path}.lock`, content);

    expect(refusal(path)).toMatchObject({ code: 'recording_locked', message: expect.stringContaining(part) });
    expect(readFileSync(`${path}.lock`, 'utf8')).toBe(content);
  });

  it('is left alone at release when somebody else holds it by now', () => {
    const path = join(temporaryDirectory(), 'run.jsonl');
    const lock = takePidLock(path);
    writeFileSync(`${path}.lock`, lockText({ id: 'other' }));

    lock.release();

    expect(readFileSync(`${path}.lock`, 'utf8')).toContain('"other"');
  });
});
