/**
 * Opens the file of a recording so that only its owner can read it, whatever the umask says and whatever mode it had.
 * A symbolic link is followed only where nobody else can have laid it: the link and its target must belong to the user
 * of this process. What is no regular file is refused.
 */
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import { ConfigError, codeOf } from '../../runtime/errors.ts';

/** Mode of the files that are written here. */
export const PRIVATE_FILE_MODE = 0o600;

const { O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_RDWR } = constants;

/** The path to open for a path that was given: the same, or where a link of our own leads. Throws `recording_link` for any other link. */
export async function followOwnLink(path: string): Promise<string> {
  const found = await lstat(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (!found?.isSymbolicLink()) return path;
  if (!isOwn(found.uid)) throw refusedLink(path, 'a symbolic link that belongs to another user');
  return realpath(path).catch(() => {
    throw refusedLink(path, 'a symbolic link that leads nowhere');
  });
}

/**
 * Opens a file to append and to read, and makes it when it is missing; its mode is left for `makePrivate`. `path` comes
 * from `followOwnLink`, `viaLink` says whether through a link. Throws a `ConfigError` when it is no regular file or, behind
 * a link, another user's; else as `open` does.
 */
export async function openOwnFile(path: string, viaLink: boolean): Promise<FileHandle> {
  const file = await open(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, PRIVATE_FILE_MODE);
  try {
    const found = await file.stat();
    if (!found.isFile()) throw new ConfigError('recording_path', `${path} is no regular file; give the path of a file or of a new one.`);
    if (viaLink && !isOwn(found.uid)) throw refusedLink(path, 'behind a symbolic link and belongs to another user');
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Closes an open file to all but its owner. Throws a `ConfigError` when it belongs to another user. */
export async function makePrivate(file: FileHandle, path: string): Promise<void> {
  if (((await file.stat()).mode & 0o777) === PRIVATE_FILE_MODE) return;
  await file.chmod(PRIVATE_FILE_MODE).catch((cause: unknown) => {
    throw new ConfigError('recording_path', `${path} belongs to another user and cannot be closed to others; give another path.`, {
      cause,
    });
  });
}

function isOwn(uid: number): boolean {
  return uid === (process.getuid?.() ?? uid);
}

function refusedLink(path: string, what: string): ConfigError {
  return new ConfigError('recording_link', `${path} is ${what}; give the path of the file itself.`);
}
