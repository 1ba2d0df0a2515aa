/**
 * Where a recording goes. Nothing given: a new file in `run-recordings/` under the repository root (the nearest folder
 * with a `.git`, else the working directory), a folder of our own that git ignores. A path that ends in `.jsonl` is that
 * file. A path that is a directory, ends in a slash or has no extension is a directory for a new file.
 */
import { randomInt } from 'node:crypto';
import { stat, writeFile } from 'node:fs/promises';
import { dirname, extname, join, resolve, sep } from 'node:path';
import { ConfigError, codeOf } from '../../runtime/errors.ts';
import type { Clock } from '../../runtime/ports.ts';
import { makePrivateDirectory, tightenDirectory } from './private-directory.ts';
import { PRIVATE_FILE_MODE } from './private-file.ts';

const DEFAULT_FOLDER = 'run-recordings';
const EXTENSION = '.jsonl';

/** The file for a recording, its directory made where it was missing. Throws a `ConfigError` for a path that is neither file nor directory. */
export async function placeRecording(path: string | undefined, cwd: string, clock: Clock): Promise<string> {
  if (path === undefined) return join(await defaultFolder(cwd), newName(clock));
  const full = resolve(cwd, path);
  if (path.endsWith(EXTENSION)) {
    await makePrivateDirectory(dirname(full));
    return full;
  }
  if (!(await isDirectoryPath(path, full))) throw badPath(path);
  await makePrivateDirectory(full);
  return join(full, newName(clock));
}

/** The nearest directory at or above `directory` that holds a `.git`, else `directory`. */
async function repositoryRoot(directory: string): Promise<string> {
  for (let place = resolve(directory); ; place = dirname(place)) {
    if (await exists(join(place, '.git'))) return place;
    if (dirname(place) === place) return resolve(directory);
  }
}

async function defaultFolder(cwd: string): Promise<string> {
  const folder = join(await repositoryRoot(cwd), DEFAULT_FOLDER);
  await makePrivateDirectory(folder);
  await tightenDirectory(folder);
  await writeFile(join(folder, '.gitignore'), '*\n', { flag: 'wx', mode: PRIVATE_FILE_MODE }).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
  return folder;
}

/** Such as `20261201T101508Z-1856286955.jsonl`. */
function newName(clock: Clock): string {
  const time = new Date(clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
  return `${time.replaceAll(/[-:]/g, '')}-${String(randomInt(10 ** 10)).padStart(10, '0')}${EXTENSION}`;
}

async function isDirectoryPath(path: string, full: string): Promise<boolean> {
  if (path === '') return false;
  const found = await stat(full).catch(() => undefined);
  if (found !== undefined) return found.isDirectory();
  return path.endsWith('/') || path.endsWith(sep) || extname(full) === '';
}

function badPath(path: string): ConfigError {
  return new ConfigError(
    'recording_path',
    `The path of a recording is ${JSON.stringify(path)}; expected a file whose name ends in ${EXTENSION}, or a directory (a new one needs a slash at its end).`,
  );
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
