/**
 * ThreadPool: threads of one heap class, through piscina. A thread serves one run and is never used again; some may be
 * kept warm, loaded and without a run. Knows nothing of runs: it opens a channel to a fresh thread and says when the
 * thread is gone.
 */
import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { SteerloopError } from '../runtime/errors.ts';
import type { ToThread } from './channel-messages.ts';
import type { Departure } from './death.ts';
import type { ThreadTask } from './entry.ts';
import { type PollableEnd, portEnd } from './port-end.ts';
import { type ThreadEntry, threadEntry } from './thread-entry.ts';
import { type OnOutput, OutputReader } from './thread-output.ts';

/** Options of a pool. */
export interface ThreadPoolOptions {
  /** Heap of each thread in megabytes; undefined: as much as Node gives it. */
  readonly heapMb: number | undefined;
  /** Most threads, warm ones included. */
  readonly maxThreads: number;
  /** How many threads to keep loaded for the next runs. */
  readonly warmThreads: number;
  readonly onOutput: OnOutput;
  /** What its threads start with; default the entry of this package. */
  readonly entry?: ThreadEntry;
}

/** A thread that serves one run, seen from the host. */
export interface Seat {
  readonly end: PollableEnd<ToThread>;
  /** Resolves when the thread is gone and everything it had sent has been delivered, which takes a listener. Never rejects. */
  readonly gone: Promise<Departure>;
  /** The thread has said who it is: from here on its output belongs to the run. */
  identify(threadId: number, runId: string): void;
  /** Ends the thread, whatever it does. */
  kill(): void;
}

/** Threads of one heap class. */
export class ThreadPool {
  readonly #pool: Piscina<ThreadTask, void>;
  readonly #options: ThreadPoolOptions;
  readonly #outputs = new Map<number, OutputReader>();
  readonly #seats = new Set<OpenSeat>();
  #warming = 0;
  #lastError: unknown;

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
    this.#pool = new Piscina<ThreadTask, void>({
      ...(options.entry ?? threadEntry()),
      name: 'runInThread',
      minThreads: 0,
      maxThreads: options.maxThreads,
      idleTimeout: Number.POSITIVE_INFINITY,
      // Anything else puts an idle thread to sleep together with its timers and ports.
      atomics: 'disabled',
      recordTiming: false,
      ...(options.heapMb !== undefined && { resourceLimits: { maxOldGenerationSizeMb: options.heapMb } }),
    });
    // Without a listener an error of a thread that has no task any more would end the host.
    this.#pool.on('error', (error: unknown) => (this.#lastError = error));
    this.#pool.on('workerCreate', () => this.#readOutputs());
    // In the next turn, when the tasks of the thread that is gone have been told.
    this.#pool.on('workerDestroy', () => setImmediate(() => this.#failStranded()));
  }

  /** A channel to a fresh thread, which begins to load if none is warm. What is posted waits for it. */
  open(): Seat {
    const { port1, port2 } = new MessageChannel();
    const abort = new AbortController();
    const task = this.#pool.run({ port: port2 }, { transferList: [port2], signal: abort.signal });
    const seat: OpenSeat = new OpenSeat({
      end: portEnd(port1),
      task,
      abort,
      name: (threadId, runId) => this.#outputs.get(threadId)?.belongsTo(runId),
      settled: () => {
        this.#seats.delete(seat);
        // Never moved where the thread did not start: then nobody else closes it.
        port2.close();
      },
    });
    this.#seats.add(seat);
    return seat;
  }

  /** Loads threads until enough are warm. */
  keepWarm(): void {
    while (this.#pool.idleThreads + this.#warming < this.#options.warmThreads && this.#pool.threads.length < this.#options.maxThreads) {
      this.#warming += 1;
      const settle = () => (this.#warming -= 1);
      this.#pool.run({}).then(settle, settle);
    }
  }

  /** Ends all threads; resolves when they are gone. */
  async close(): Promise<void> {
    for (const seat of this.#seats) seat.kill();
    // An idle thread does not keep the process up, and neither does waiting for its end.
    const hold = setInterval(() => {}, 1_000);
    try {
      await this.#pool.destroy();
    } finally {
      clearInterval(hold);
    }
  }

  #readOutputs(): void {
    for (const worker of this.#pool.threads) {
      const id = worker.threadId;
      if (id < 0 || this.#outputs.has(id)) continue;
      this.#outputs.set(id, new OutputReader(worker, this.#options.onOutput));
      worker.once('exit', () => this.#outputs.delete(id));
    }
  }

  /** piscina leaves a task in its queue for ever when the thread that was to take it dies while loading. */
  #failStranded(): void {
    const stranded = this.#seats.size + this.#warming - this.#pool.threads.length;
    const waiting = [...this.#seats].filter((seat) => !seat.identified).slice(0, Math.max(0, stranded));
    const error = this.#lastError ?? new SteerloopError('thread_failed', 'The thread ended while it was loading.');
    for (const seat of waiting) seat.fail(error);
  }
}

/** What piscina says of a thread that called `process.exit`. */
const EXIT_MESSAGE = /^worker exited with code: (-?\d+)$/;

class OpenSeat implements Seat {
  readonly end: PollableEnd<ToThread>;
  readonly gone: Promise<Departure>;
  identified = false;
  readonly #abort: AbortController;
  readonly #name: (threadId: number, runId: string) => void;
  #failure: unknown;

  constructor(parts: {
    end: PollableEnd<ToThread>;
    task: Promise<void>;
    abort: AbortController;
    name: (threadId: number, runId: string) => void;
    settled: () => void;
  }) {
    this.end = parts.end;
    this.#abort = parts.abort;
    this.#name = parts.name;
    this.gone = this.#follow(parts.task, parts.settled);
  }

  identify(threadId: number, runId: string): void {
    this.identified = true;
    this.#name(threadId, runId);
  }

  kill(): void {
    this.#abort.abort();
  }

  /** The thread could not be started. */
  fail(error: unknown): void {
    this.#failure = error;
    this.kill();
  }

  /** Waits for the task and then for the port: the last messages of a thread arrive behind its end. */
  async #follow(task: Promise<void>, settled: () => void): Promise<Departure> {
    const closed = new Promise<void>((resolve) => this.end.onClose(resolve));
    const departure = await task.then(
      (): Departure => ({ kind: 'ended' }),
      (error: unknown) => this.#departure(error),
    );
    settled();
    await closed;
    return departure;
  }

  #departure(error: unknown): Departure {
    if (this.#failure !== undefined) return { kind: 'failed', error: this.#failure };
    if (this.#abort.signal.aborted) return { kind: 'ended' };
    const code = error instanceof Error ? EXIT_MESSAGE.exec(error.message)?.[1] : undefined;
    return code === undefined ? { kind: 'failed', error } : { kind: 'exited', code: Number(code) };
  }
}
