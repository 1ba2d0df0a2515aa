/**
 * Screen: the two streams of a command. Answers go to stdout, everything else to stderr. It knows whether both are one
 * terminal, gives each its colours, keeps the spinner out of what is written, and tells when nobody reads stdout any more.
 */
import { fstatSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { Spinner } from './spinner.ts';
import { createStyle, type Style, wantsColour } from './style.ts';

/** The two streams of a command, as commands use them. */
export interface Screen {
  /** Writes to stdout. Quietly does nothing once nobody reads it. */
  answer(text: string): void;
  /** Writes to stderr. Quietly does nothing once nobody reads it. */
  trace(text: string): void;
  /** Colours for stderr. */
  readonly style: Style;
  /** Whether stdout and stderr are the same terminal. */
  readonly isOneTerminal: boolean;
  /** Shows on a terminal what is waited for; nothing elsewhere. */
  wait(label: string | undefined): void;
  /** Aborted when the reader of stdout has gone. */
  readonly outClosed: AbortSignal;
  /** Resolves when everything written has left, or cannot leave any more. */
  flush(): Promise<void>;
}

/** A stream of the process, as far as the screen needs it. */
export type ScreenStream = Writable & { readonly isTTY?: boolean; readonly fd?: number };

/** What a screen is made from. */
export interface ScreenOptions {
  readonly out: ScreenStream;
  readonly err: ScreenStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** False for `--no-color`. */
  readonly colour?: boolean;
}

/** The screen of a process. From here on a broken pipe is an event of the screen and no error of the process. */
export function createScreen({ out, err, env, colour = true }: ScreenOptions): Screen {
  const outClosed = new AbortController();
  const errClosed = new AbortController();
  onBrokenPipe(out, outClosed);
  onBrokenPipe(err, errClosed);
  const spinner = err.isTTY ? new Spinner((text) => write(err, text, errClosed.signal)) : undefined;
  return {
    answer(text) {
      if (out.isTTY && text !== '') spinner?.beforeWrite(text);
      write(out, text, outClosed.signal);
    },
    trace(text) {
      if (text !== '') spinner?.beforeWrite(text);
      write(err, text, errClosed.signal);
    },
    style: createStyle(wantsColour({ isTerminal: err.isTTY === true, allowed: colour, env })),
    isOneTerminal: out.isTTY === true && err.isTTY === true && isSameDevice(out.fd ?? 1, err.fd ?? 2),
    wait: (label) => spinner?.wait(label),
    outClosed: outClosed.signal,
    flush: async () => {
      await Promise.all([drained(out, outClosed.signal), drained(err, errClosed.signal)]);
    },
  };
}

function onBrokenPipe(stream: ScreenStream, closed: AbortController): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
    closed.abort('SIGPIPE');
  });
}

function write(stream: ScreenStream, text: string, closed: AbortSignal): void {
  if (text !== '' && !closed.aborted) stream.write(text);
}

function isSameDevice(one: number, other: number): boolean {
  const first = fstatSync(one);
  const second = fstatSync(other);
  return first.rdev === second.rdev && first.ino === second.ino;
}

/** The callback of an empty write comes behind everything written before it, or with the error that ends the stream. */
function drained(stream: ScreenStream, closed: AbortSignal): Promise<void> {
  if (closed.aborted) return Promise.resolve();
  return new Promise((resolve) => stream.write('', () => resolve()));
}
