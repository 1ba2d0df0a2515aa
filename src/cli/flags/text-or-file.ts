/** Text given at a flag: the text itself, `@FILE` for what a file holds, `@@text` for a text that begins with `@`. */
import { resolve } from 'node:path';
import { readRegularFile } from '../../node/read-regular-file.ts';
import { describeError } from '../../runtime/errors.ts';
import { UsageError } from '../usage-error.ts';

/** More than any model takes; this only keeps a wrong path from filling memory and recording. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * The text meant; a relative path is taken from `cwd`. A file is taken as it is, its last line end included. Throws a `UsageError` that names flag and file
 * when it cannot be read or is no UTF-8, and when the text holds nothing but blanks.
 */
export async function textOrFile(flag: string, value: string, cwd: string): Promise<string> {
  const fromFile = value.startsWith('@') && !value.startsWith('@@');
  const text = fromFile ? await readText(flag, value.slice(1), cwd) : value.replace(/^@@/, '@');
  if (text.trim() === '') throw new UsageError(`${flag} is empty${fromFile ? ` in ${value.slice(1)}` : ''}; expected a text or @FILE`);
  return text;
}

async function readText(flag: string, path: string, cwd: string): Promise<string> {
  if (path === '') throw new UsageError(`${flag} is "@"; expected a text, @FILE, or @@text for a text that begins with @`);
  const bytes = await readRegularFile(resolve(cwd, path), MOST_BYTES).catch((error: unknown) => {
    throw new UsageError(`${flag} names ${path}, which ${describeError(error)}; for a text that begins with @ write @@`);
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${flag} names ${path}, which is not UTF-8 text; expected a text file`);
  }
}
