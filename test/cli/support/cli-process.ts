/** The real command in a process of its own, as a shell would start it. */
import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { closeSync, openSync } from 'node:fs';
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
  /** Where its stdout goes, in place of the test. */
  readonly stdoutPath?: string;
}

/** A command that runs. */
export interface CliProcess {
  readonly finished: Promise<Finished>;
  kill(signal: NodeJS.Signals): void;
  /** Resolves once one of its streams has printed the text; rejects when it ends without it. */
  printed(text: string): Promise<void>;
  /** Closes the reading end of its stdout. */
  closeOutput(): void;
}

/** Starts the command. Its stdin is open and empty: a command that read it would never end. */
export function startCli(words: readonly string[], options: CliOptions = {}): CliProcess {
  const out = options.stdoutPath === undefined ? 'pipe' : openSync(options.stdoutPath, 'w');
  const child = spawn(process.execPath, [...COMMAND, ...words], {
    cwd: options.cwd ?? ROOT,
    env: { PATH: process.env['PATH'] ?? '', HOME: options.cwd ?? ROOT, ...options.env },
    stdio: ['pipe', out, 'pipe'],
  });
  if (typeof out === 'number') closeSync(out);
  const streams = { stdout: '', stderr: '' };
  const progress = new EventEmitter();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      streams[name] += text;
      progress.emit('text');
    });
  }
  const finished = new Promise<Finished>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      child.stdin?.destroy();
      resolve({ code, signal, ...streams });
      progress.emit('end');
    });
  });
  return {
    finished,
    kill: (signal) => child.kill(signal),
    printed: (text) =>
      new Promise((resolve, reject) => {
        const look = () => (streams.stdout.includes(text) || streams.stderr.includes(text)) && resolve();
        progress.on('text', look);
        progress.once('end', () => reject(new Error(`It ended without ${JSON.stringify(text)}:\n${streams.stderr}`)));
        look();
      }),
    closeOutput: () => child.stdout?.destroy(),
  };
}

/** Runs the command to its end. */
export function runCli(words: readonly string[], options: CliOptions = {}): Promise<Finished> {
  return startCli(words, options).finished;
}
