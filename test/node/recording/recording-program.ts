/**
 * A process of its own that writes recordings, for tests of what only a whole process has: its umask, and its death.
 * `modes DIR`: opens recordings under several umasks and prints the modes of all that it made. `hold FILE`: opens FILE,
 * appends one event, prints its own pid and waits to be killed or for the end of stdin, at which it closes.
 */
import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRecording } from '../../../src/node/recording/open-recording.ts';
import { warningEvent } from '../../runtime/recording/sample-events.ts';

const [task, place = ''] = process.argv.slice(2);
const options = { kind: 'run' } as const;

async function printModes(): Promise<void> {
  const modes: Record<string, string[]> = {};
  for (const umask of [0o000, 0o022, 0o077, 0o177]) {
    process.umask(0o022);
    const directory = join(place, umask.toString(8));
    prepare(directory);
    process.umask(umask);
    for (const path of [undefined, 'new/deep/run.jsonl', 'folder/', 'old.jsonl', 'link.jsonl']) {
      const recording = await openRecording({ ...options, cwd: directory, ...(path !== undefined && { path }) });
      recording.append(warningEvent(1));
      await recording.close();
    }
    modes[umask.toString(8)] = modesBelow(directory);
  }
  console.log(JSON.stringify(modes));
}

/** A repository, a recording that everybody may read, another behind a link, and a folder from an earlier time that is open. */
function prepare(directory: string): void {
  mkdirSync(join(directory, '.git'), { recursive: true });
  for (const name of ['old.jsonl', 'target.jsonl']) {
    writeFileSync(join(directory, name), `${JSON.stringify({ type: 'recording', version: 1, steerloop: '0', kind: 'run', time: 1 })}\n`);
    chmodSync(join(directory, name), 0o644);
  }
  symlinkSync('target.jsonl', join(directory, 'link.jsonl'));
  mkdirSync(join(directory, 'run-recordings'));
  chmodSync(join(directory, 'run-recordings'), 0o755);
}

function modesBelow(directory: string): string[] {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) => name !== '.git');
  const masked = (name: string): string => name.replaceAll(/\d{8}T\d{6}Z-\d{10}/g, 'NEW');
  return names.map((name) => `${(statSync(join(directory, name)).mode & 0o777).toString(8)} ${masked(name)}`).sort();
}

async function hold(): Promise<void> {
  const recording = await openRecording({ ...options, path: place });
  recording.append(warningEvent(1, `run_of_${process.pid}`));
  await recording.commit();
  console.log(process.pid);
  for await (const _ of process.stdin);
  await recording.close();
}

await (task === 'modes' ? printModes() : hold());
