/**
 * What code in a thread prints. It never reaches the host's stdout, where answers go: it is taken from the thread's own
 * streams, capped, and handed to a callback; without one it goes to the host's stderr, as inert text.
 */
import type { Worker } from 'node:worker_threads';
import { inertText } from '../node/inert-text.ts';

/** A piece of what a thread printed. */
export interface ThreadOutput {
  /** The run whose thread printed it; undefined for what was printed before the thread had a run. */
  readonly runId: string | undefined;
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

/** Is handed what threads print. It must not throw. */
export type OnOutput = (output: ThreadOutput) => void;

/** Most characters of one thread's output that are handed on. */
export const OUTPUT_CAP = 262_144;

/** Reads the output of one thread from its start to its end. */
export class OutputReader {
  readonly #onOutput: OnOutput;
  #runId: string | undefined;
  #left = OUTPUT_CAP;

  constructor(worker: Worker, onOutput: OnOutput) {
    this.#onOutput = onOutput;
    this.#read(worker, 'stdout');
    this.#read(worker, 'stderr');
  }

  /** From here on the output is that of a run. */
  belongsTo(runId: string): void {
    this.#runId = runId;
  }

  #read(worker: Worker, stream: 'stdout' | 'stderr'): void {
    const source = worker[stream];
    source.unpipe(process[stream]);
    source.setEncoding('utf8');
    // What is beyond the cap must still be read: it would fill the thread's memory otherwise.
    source.on('data', (text: string) => this.#take(stream, text));
    source.resume();
  }

  #take(stream: 'stdout' | 'stderr', text: string): void {
    if (this.#left <= 0) return;
    const shown = text.slice(0, this.#left);
    this.#left -= text.length;
    this.#onOutput({ runId: this.#runId, stream, text: shown });
    if (this.#left <= 0) this.#onOutput({ runId: this.#runId, stream, text: '\n… further output of this thread is not shown\n' });
  }
}

/** Writes to the host's stderr. As inert text: it may quote a model or a tool. */
export function writeToStderr({ text }: ThreadOutput): void {
  process.stderr.write(inertText(text));
}
