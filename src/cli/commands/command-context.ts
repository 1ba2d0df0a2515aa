/** What every command is given, and how it says how it went. */
import type { Command } from 'commander';
import type { Environment } from '../../runtime/models/credentials.ts';
import type { ScreenStream } from '../terminal/screen.ts';
import { UsageError } from '../usage-error.ts';

/** The process, as far as commands use it. */
export interface CommandWorld {
  readonly cwd: string;
  readonly env: Environment;
  readonly out: ScreenStream;
  readonly err: ScreenStream;
}

/** The world of a command, and where it hands its exit code. */
export interface CommandContext extends CommandWorld {
  /** Takes the exit code of the command that ran. */
  finish(exitCode: number): void;
}

/** Throws a `UsageError` for words that no flag takes; `hint` says where they belong. */
export function refuseWords(command: Command, hint: string): void {
  const [word] = command.args;
  if (word !== undefined) throw new UsageError(`unexpected word ${JSON.stringify(word)}; ${hint}`);
}
