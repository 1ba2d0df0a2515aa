/** A folder of its own for a test, which counts as a repository, and short ways to put things into it. */
import { on } from 'node:events';
import { existsSync, watch } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A step of a script; see the script format. */
export type ScriptStep = Readonly<Record<string, unknown>>;

/** A test's folder. */
export interface Workspace {
  readonly path: string;
  /** Writes a file and returns its absolute path. */
  write(name: string, text: string): Promise<string>;
  /** Writes a script and returns the model spec that plays it. */
  script(steps: readonly ScriptStep[], name?: string): Promise<string>;
  /** Absolute paths of the recordings in the default place, oldest first. */
  recordings(): Promise<string[]>;
}

/** Makes a folder that is removed when the test is over. */
export async function createWorkspace(): Promise<Workspace> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'steerloop-cli-')));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  await mkdir(join(path, '.git'));
  const write = async (name: string, text: string): Promise<string> => {
    await writeFile(join(path, name), text);
    return join(path, name);
  };
  return {
    path,
    write,
    script: async (steps, name = 'script.json') => `script:${await write(name, JSON.stringify({ steps }))}`,
    async recordings() {
      const folder = join(path, 'run-recordings');
      const names = await readdir(folder).catch(() => []);
      return names
        .filter((name) => name.endsWith('.jsonl'))
        .map((name) => join(folder, name))
        .sort();
    },
  };
}

/** Resolves when there is a file of this name in the folder. */
export async function fileAppears(folder: string, name: string): Promise<void> {
  const watcher = watch(folder);
  try {
    if (existsSync(join(folder, name))) return;
    for await (const [, changed] of on(watcher, 'change')) if (changed === name) return;
  } finally {
    watcher.close();
  }
}

/** The events of a recording, in order, its header left out. */
export async function recordedEvents(path: string): Promise<Record<string, unknown>[]> {
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  return lines.slice(1).map((line) => JSON.parse(line) as Record<string, unknown>);
}
