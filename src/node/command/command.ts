/** Command: a program that is ready to run, what it is given while it runs, and how it ended. Types only. */
import type { Timers } from '../../runtime/ports.ts';
import type { CapturedOutput } from './output-capture.ts';

/** A command that is ready to run. */
export interface Command {
  /** The program and its arguments. */
  readonly argv: readonly string[];
  /** Where to run it; default the directory of this process. */
  readonly cwd?: string;
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Most bytes of output that are kept. */
  readonly maxOutputBytes: number;
}

/** What a running command is given and tells. */
export interface CommandContext {
  /** Aborting it ends the command and everything it started. */
  readonly signal: AbortSignal;
  /** Default: the system's. */
  readonly timers?: Timers;
  /** Gets the output that is kept, as it comes. */
  output?(text: string): void;
  /** Told when the process group lives, and when it is dead. */
  child?(pid: number, state: 'started' | 'exited'): void;
}

/** How a command ended. */
export type CommandEnd =
  | { readonly how: 'exited'; readonly code: number }
  | { readonly how: 'killed'; readonly signal: string }
  | { readonly how: 'timeout' }
  | { readonly how: 'aborted'; readonly reason: unknown }
  | { readonly how: 'not_started'; readonly problem: string };

/** A command that is over. */
export interface CommandRun {
  readonly end: CommandEnd;
  /** stdout and stderr, mixed in the order in which they arrived. */
  readonly output: CapturedOutput;
}
