/** Says in a sentence why a program could not be started: the program, the directory or the length of its arguments. */
import { stat } from 'node:fs/promises';
import { codeOf, describeError } from '../../runtime/errors.ts';
import type { Command } from './command.ts';

/** What went wrong at the start of a command, for the model and for whoever wrote the manifest. Never rejects. */
export async function describeStartError(error: unknown, { argv, cwd, env }: Command): Promise<string> {
  const [program = ''] = argv;
  const directoryProblem = cwd === undefined ? undefined : await problemWithDirectory(cwd);
  if (directoryProblem !== undefined) return `"${program}" was not started: ${directoryProblem}.`;
  switch (codeOf(error)) {
    case 'ENOENT':
      return program.includes('/')
        ? `the program "${program}", or the interpreter that its first line names, was not found.`
        : `the program "${program}" was not found; looked in PATH: ${env['PATH'] ?? '(not set)'}.`;
    case 'EACCES':
      return `the program "${program}" may not be run: permission denied.`;
    case 'E2BIG':
      return `"${program}" was not started: its arguments (${argvBytes(argv)} bytes) and environment are longer than this system takes; the usual limits are 128 KiB for one and 2 MiB for all.`;
    default:
      return `"${program}" was not started: ${describeError(error)}`;
  }
}

/** The system says the same of a missing directory as of a missing program. */
async function problemWithDirectory(cwd: string): Promise<string | undefined> {
  try {
    return (await stat(cwd)).isDirectory() ? undefined : `its cwd ${cwd} is no directory`;
  } catch (error) {
    return `its cwd ${cwd} cannot be used (${describeError(error)})`;
  }
}

function argvBytes(argv: readonly string[]): number {
  return argv.reduce((sum, element) => sum + Buffer.byteLength(element) + 1, 0);
}
