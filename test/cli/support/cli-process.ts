/** The real command in a process of its own, as a shell would start it. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The repository. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const MAIN = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url));
const TSX = import.meta.resolve('tsx');

/** Node's arguments that start the command from source. */
export const COMMAND: readonly string[] = ['--import', TSX, MAIN];

/** How a process ended and what it printed. */
export interface Finished {
  /** Exit code; null when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How to start a command. */
export interface CliOptions {
  readonly cwd?: string;
  /** Laid over a small environment without keys. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A command that runs. */
export interface CliProcess {
  readonly finished: Promise<Finished>;
  kill(signal: NodeJS.Signals): void;
  /** Resolves at the first line of stderr, from now on, that contains the text; rejects when stderr ends without it. */
  seen(text: string): Promise<void>;
}

/** Starts the command. Its stdin is open and empty: a command that read it would never end. */
export function startCli(words: readonly string[], options: CliOptions = {}): CliProcess {
  const child = spawn(process.execPath, [...COMMAND, ...words], {
    cwd: options.cwd ?? ROOT,
    env: { PATH: process.env['PATH'] ?? '', HOME: options.cwd ?? ROOT, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const lines = createInterface({ input: child.stderr });
  const finished = new Promise<Finished>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      child.stdin.destroy();
      resolve({ code, signal, stdout, stderr });
    });
  });
  return {
    finished,
    kill: (signal) => child.kill(signal),
    seen: (text) =>
      new Promise((resolve, reject) => {
        lines.on('line', (line) => line.includes(text) && resolve());
        lines.once('close', () => reject(new Error(`stderr ended without ${JSON.stringify(text)}:\n${stderr}`)));
      }),
  };
}

/** Runs the command to its end. */
export function runCli(words: readonly string[], options: CliOptions = {}): Promise<Finished> {
  return startCli(words, options).finished;
}
