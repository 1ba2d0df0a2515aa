/**
 * Reads a file that a person named. It is looked at before it is opened: opening a named pipe waits for a writer, for ever where
 * there is none, a device may never end, and a large file fills the memory.
 */
import type { Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { codeOf, SteerloopError } from '../runtime/errors.ts';

const MEGABYTE = 1_048_576;

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EACCES: 'may not be read',
  EPERM: 'may not be read',
};

/**
 * All bytes of a regular file of at most `mostBytes`. Rejects with a `SteerloopError` `file_unreadable` whose message says in words
 * that follow the path what is wrong (`does not exist`, `is a directory`, `is larger than 16 MB`); the system's error is its cause.
 */
export async function readRegularFile(path: string, mostBytes: number): Promise<Buffer> {
  const { size } = await lookAt(path);
  if (size > mostBytes) throw tooLarge(mostBytes);
  const bytes = await readFile(path).catch(rethrow);
  // It may have grown since, and some files of the system say 0.
  if (bytes.length > mostBytes) throw tooLarge(mostBytes);
  return bytes;
}

/** Looks whether there is a regular file at `path`, for one that is then read piece by piece. Rejects as `readRegularFile`. */
export async function assertRegularFile(path: string): Promise<void> {
  await lookAt(path);
}

/** Whether `readRegularFile` or `assertRegularFile` rejected because there is nothing at the path. */
export function isMissingFile(error: unknown): boolean {
  return error instanceof SteerloopError && codeOf(error.cause) === 'ENOENT';
}

async function lookAt(path: string): Promise<Stats> {
  const stats = await stat(path).catch(rethrow);
  if (!stats.isFile()) throw unreadable(kindOf(stats));
  return stats;
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'is a directory';
  if (stats.isFIFO()) return 'is a named pipe and no regular file';
  if (stats.isSocket()) return 'is a socket and no regular file';
  return 'is a device and no regular file';
}

function tooLarge(mostBytes: number): SteerloopError {
  return unreadable(`is larger than ${mostBytes / MEGABYTE} MB`);
}

function rethrow(cause: unknown): never {
  const code = codeOf(cause) ?? '';
  throw unreadable(WORDS[code] ?? `cannot be read (${code || String(cause)})`, cause);
}

function unreadable(words: string, cause?: unknown): SteerloopError {
  return new SteerloopError('file_unreadable', words, { cause });
}
