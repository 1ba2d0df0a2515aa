/**
 * Screen: the two streams of a command. Answers go to stdout, everything else to stderr. It knows whether both are one
 * terminal, gives each its colours, keeps the spinner out of what is written, and tells when nobody reads stdout any more.
 */
import { fstatSync } from 'node:fs';
import type { Writable } from 'node:stream';
import type { Environment } from '../../runtime/models/credentials.ts';
import { Spinner } from './spinner.ts';
import { createStyle, type Style, wantsColour } from './style.ts';

/** The two streams of a command, as commands use them. */
export interface Screen {
  /** Writes to stdout. Quietly does nothing once it cannot be written any more. */
  answer(text: string): void;
  /** Writes to stderr. Quietly does nothing once it cannot be written any more. */
  trace(text: string): void;
  /** Writes to stderr, on lines of its own wherever the last line stands. */
  note(text: string): void;
  /** Colours for stderr. */
  readonly style: Style;
  /** Whether stdout and stderr are the same terminal. */
  readonly isOneTerminal: boolean;
  /** Shows on a terminal what is waited for; nothing elsewhere. */
  wait(label: string | undefined): void;
  /** Aborted when stdout cannot be written any more. */
  readonly outClosed: AbortSignal;
  /** Why it cannot, when the reason is another than a reader that has gone. */
  readonly outFailure: Error | undefined;
}

/** A stream of the process, as far as the screen needs it. */
export type ScreenStream = Writable & { readonly isTTY?: boolean; readonly fd?: number };

/** What a screen is made from. */
export interface ScreenOptions {
  readonly out: ScreenStream;
  readonly err: ScreenStream;
  readonly env: Environment;
  /** False for `--no-color`. */
  readonly colour?: boolean;
}

/** The screen of a process. From here on a stream that cannot be written is a fact of the screen and no error of the process. */
export function createScreen({ out, err, env, colour = true }: ScreenOptions): Screen {
  const [outEnd, errEnd] = [new StreamEnd(out), new StreamEnd(err)];
  // A dumb terminal cannot wipe a line.
  const spinner = err.isTTY && env['TERM'] !== 'dumb' ? new Spinner((text) => errEnd.write(text)) : undefined;
  let errLineOpen = false;
  const trace = (text: string): void => {
    if (text === '') return;
    spinner?.beforeWrite(text);
    errLineOpen = !text.endsWith('\n');
    errEnd.write(text);
  };
  return {
    answer(text) {
      if (out.isTTY && text !== '') spinner?.beforeWrite(text);
      outEnd.write(text);
    },
    trace,
    note: (text) => trace(`${errLineOpen ? '\n' : ''}${text}${text.endsWith('\n') ? '' : '\n'}`),
    style: createStyle(wantsColour({ isTerminal: err.isTTY === true, allowed: colour, env })),
    isOneTerminal: out.isTTY === true && err.isTTY === true && isSameDevice(out.fd ?? 1, err.fd ?? 2),
    wait: (label) => spinner?.wait(label),
    outClosed: outEnd.closed,
    get outFailure() {
      return outEnd.failure;
    },
  };
}

/** Writes to a stream until it fails for the first time. */
class StreamEnd {
  failure: Error | undefined;
  readonly #stream: ScreenStream;
  readonly #closed = new AbortController();

  constructor(stream: ScreenStream) {
    this.#stream = stream;
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (!READER_GONE.has(error.code ?? '')) this.failure = error;
      this.#closed.abort();
    });
  }

  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  write(text: string): void {
    if (text !== '' && !this.closed.aborted) this.#stream.write(text);
  }
}

/** A pipe without a reader, and a terminal that was closed. */
const READER_GONE: ReadonlySet<string> = new Set(['EPIPE', 'EIO']);

function isSameDevice(one: number, other: number): boolean {
  const [first, second] = [fstatSync(one), fstatSync(other)];
  return first.rdev === second.rdev && first.ino === second.ino;
}
