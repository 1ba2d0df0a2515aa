/** Directories that only their owner may enter, whatever the umask says. */
import { chmod, lstat, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '../../runtime/errors.ts';

/** Mode of the directories that are made here. */
const PRIVATE_DIRECTORY_MODE = 0o700;

/**
 * Makes a directory and those above it that are missing, each 0700. Directories that were there keep their mode: they
 * are somebody's own. Rejects as `mkdir` does, also when something else than a directory has that name.
 */
export async function makePrivateDirectory(path: string): Promise<void> {
  if (await isDirectory(path)) return;
  if (dirname(path) !== path) await makePrivateDirectory(dirname(path));
  try {
    await mkdir(path, { mode: PRIVATE_DIRECTORY_MODE });
  } catch (error) {
    // Somebody else was quicker.
    if (codeOf(error) === 'EEXIST' && (await isDirectory(path))) return;
    throw error;
  }
  // The umask may have taken bits that the owner needs.
  await chmod(path, PRIVATE_DIRECTORY_MODE);
}

/** Closes a directory of ours to everybody else. One that belongs to another user, or is a link, stays as it is. */
export async function tightenDirectory(path: string): Promise<void> {
  const found = await lstat(path);
  if (!found.isDirectory() || (found.mode & 0o777) === PRIVATE_DIRECTORY_MODE) return;
  if (found.uid === (process.getuid?.() ?? found.uid)) await chmod(path, PRIVATE_DIRECTORY_MODE);
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
