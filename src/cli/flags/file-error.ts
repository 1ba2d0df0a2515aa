/** What is wrong with a file that a person named, in words that follow "which". */
import { codeOf } from '../../runtime/errors.ts';

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EISDIR: 'is a directory',
  EACCES: 'may not be read',
  EPERM: 'may not be read',
};

/** `does not exist`, `is a directory`, `may not be read`, or what the system says. */
export function describeFileError(error: unknown): string {
  const code = codeOf(error) ?? '';
  return WORDS[code] ?? `cannot be read (${code || String(error)})`;
}
