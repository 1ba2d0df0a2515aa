/**
 * Host: runs each loop in a worker thread of its own, so that a crash takes one run and not the process. Checks what can be
 * checked before a thread starts, hands out `Run`s, and keeps threads apart: a fresh one for every run, one pool for each
 * heap size (limits belong to a pool), a cap on how many there are.
 */
import { randomIds, systemClock, systemTimers } from '../runtime/default-ports.ts';
import { ConfigError } from '../runtime/errors.ts';
import { memoryJournal } from '../runtime/memory-journal.ts';
import type { Clock, Ids, Timers } from '../runtime/ports.ts';
import { Redactor } from '../runtime/redactor.ts';
import type { Run } from '../runtime/run.ts';
import { DEFAULTS } from '../runtime/schema/config.ts';
import { stopOnAbort } from '../runtime/stop-on-abort.ts';
import { CHANNEL_VERSION, type StartMessage } from './channel-messages.ts';
import type { HostOptions, HostRecording, HostStartOptions } from './host-options.ts';
import { RemoteRun } from './remote-run.ts';
import { RunQueue } from './run-queue.ts';
import { type CheckedStart, checkKey, checkStart } from './start-check.ts';
import { type OnOutput, writeToStderr } from './thread-output.ts';
import { ThreadPool } from './thread-pool.ts';

/** Defaults of a host. Durations in milliseconds. */
export const HOST_DEFAULTS = { maxThreads: 64, warmThreads: 1, pingMs: 30_000, graceMs: DEFAULTS.graceMs } as const;

/** What the options of a host are held to. Heap in megabytes. */
export const HOST_LIMITS = {
  /** Beyond it the kernel's limit on memory maps is near, and reaching that hangs the whole process. */
  mostThreads: 512,
  /** Less, and a thread dies before it has loaded. */
  leastHeapMb: 16,
} as const;

/** What part of the grace tools get; the rest is the loop's, to write the end before its thread is ended. */
const TOOL_SHARE_OF_GRACE = 0.75;

/** Runs loops in worker threads. */
export interface Host {
  /**
   * Starts a run and resolves to it once everything that can be checked here has been. Rejects with a `ConfigError`: input, config,
   * agent data (model spec, key, manifest), `cannot_cross` for what is no plain data, `key_in_use`, `host_closed`. What only
   * the thread can find ends the run with reason `error`, code `start_failed`. Where all threads are taken the run waits.
   */
  start(options: HostStartOptions): Promise<Run>;
  /** Stops every run, ends all threads and takes no more runs. Resolves when they are gone. A second call gives the same promise. */
  close(): Promise<void>;
}

/** Makes a host. No thread starts before the first run. Throws a `ConfigError` `invalid_option` for a number that cannot be. */
export function createHost(options: HostOptions = {}): Host {
  return new ThreadHost(options);
}

interface Settings {
  readonly maxThreads: number;
  readonly warmThreads: number;
  readonly heapMb: number | undefined;
  readonly pingMs: number;
  readonly graceMs: number;
  readonly onOutput: OnOutput;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly timers: Timers;
}

/** What a run begins with once nothing can refuse it any more. */
interface ReadyStart extends CheckedStart {
  readonly heapMb: number | undefined;
  readonly recording: HostRecording | undefined;
  /** Gives the key back. */
  readonly release: () => void;
}

class ThreadHost implements Host {
  readonly #settings: Settings;
  readonly #queue: RunQueue;
  readonly #pools = new Map<number | undefined, ThreadPool>();
  readonly #live = new Set<RemoteRun>();
  readonly #keys = new Set<string>();
  #closing: Promise<void> | undefined;

  constructor(options: HostOptions) {
    this.#settings = settingsOf(options);
    this.#queue = new RunQueue(this.#settings.maxThreads);
  }

  async start(options: HostStartOptions): Promise<Run> {
    checkKey(options.key);
    const release = this.#reserve(options.key, options.owner);
    try {
      this.#refuseWhenClosed();
      const heapMb = atLeast('heapMb', options.heapMb ?? this.#settings.heapMb, HOST_LIMITS.leastHeapMb);
      const checked = await checkStart(options, this.#settings);
      this.#refuseWhenClosed();
      const recording = typeof options.recording === 'function' ? await options.recording() : options.recording;
      this.#refuseWhenClosed();
      return this.#begin(options, { ...checked, heapMb, recording, release });
    } catch (error) {
      release();
      throw error;
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  #begin(options: HostStartOptions, checked: ReadyStart): Run {
    const { heapMb, recording, release } = checked;
    const pool = this.#poolOf(heapMb);
    const start = this.#startMessage(options, checked);
    const remote = new RemoteRun({
      ...this.#settings,
      start,
      heapMb,
      journal: recording?.journalFor(start.run_id) ?? memoryJournal(),
      ...(recording !== undefined && { keep: (event) => recording.append(event) }),
      onEvent: options.onEvent,
      redactor: new Redactor(start.secrets),
      onReady: () => pool.keepWarm(),
    });
    this.#live.add(remote);
    const place = this.#queue.join(() => remote.begin(() => pool.open()));
    const unlisten = stopOnAbort(options.signal, remote.run.send);
    void remote.run.result.then(() => {
      unlisten();
      release();
    });
    void remote.over.then(() => {
      this.#live.delete(remote);
      place.leave();
    });
    return remote.run;
  }

  #startMessage(options: HostStartOptions, checked: CheckedStart): StartMessage {
    const { sessionId, owner, onJournalError } = options;
    return {
      type: 'start',
      version: CHANNEL_VERSION,
      run_id: options.id ?? this.#settings.ids.next('run'),
      agent: checked.agent,
      input: checked.input,
      config: checked.config,
      grace_ms: Math.floor(this.#settings.graceMs * TOOL_SHARE_OF_GRACE),
      secrets: [...new Set([...checked.secrets, ...(options.secrets ?? [])])],
      ...(sessionId !== undefined && { session_id: sessionId }),
      ...(owner !== undefined && { owner }),
      ...(onJournalError !== undefined && { on_journal_error: onJournalError }),
    };
  }

  #poolOf(heapMb: number | undefined): ThreadPool {
    const known = this.#pools.get(heapMb);
    if (known !== undefined) return known;
    const { maxThreads, warmThreads, onOutput } = this.#settings;
    const pool = new ThreadPool({ heapMb, maxThreads: maxThreads + warmThreads, warmThreads, onOutput });
    this.#pools.set(heapMb, pool);
    return pool;
  }

  /** Takes the key for one run; what is returned gives it back. Keys of different owners never meet. */
  #reserve(key: string | undefined, owner: string | undefined): () => void {
    if (key === undefined) return () => {};
    const place = JSON.stringify([owner ?? null, key]);
    if (this.#keys.has(place)) {
      throw new ConfigError(
        'key_in_use',
        `A run with the key ${JSON.stringify(key)} is live. Wait for its end, stop it, or take another key.`,
      );
    }
    this.#keys.add(place);
    return () => this.#keys.delete(place);
  }

  #refuseWhenClosed(): void {
    if (this.#closing !== undefined) throw new ConfigError('host_closed', 'The host is closed and starts no more runs. Make a new one.');
  }

  async #finish(): Promise<void> {
    const live = [...this.#live];
    for (const { run } of live) run.stop({ reason: 'the host closes' });
    await Promise.all(live.map(({ over }) => over));
    await Promise.all([...this.#pools.values()].map((pool) => pool.close()));
  }
}

function settingsOf(options: HostOptions): Settings {
  const maxThreads = atLeast('maxThreads', options.maxThreads ?? HOST_DEFAULTS.maxThreads, 1);
  if (maxThreads > HOST_LIMITS.mostThreads) throw invalidOption('maxThreads', maxThreads, `at most ${HOST_LIMITS.mostThreads}`);
  return {
    maxThreads,
    warmThreads: Math.min(maxThreads, atLeast('warmThreads', options.warmThreads ?? HOST_DEFAULTS.warmThreads, 0)),
    heapMb: atLeast('heapMb', options.heapMb, HOST_LIMITS.leastHeapMb),
    pingMs: atLeast('pingMs', options.pingMs ?? HOST_DEFAULTS.pingMs, 1),
    graceMs: atLeast('graceMs', options.graceMs ?? HOST_DEFAULTS.graceMs, 0),
    onOutput: options.onOutput ?? writeToStderr,
    clock: options.clock ?? systemClock,
    ids: options.ids ?? randomIds(),
    timers: options.timers ?? systemTimers,
  };
}

function atLeast<T extends number | undefined>(name: string, value: T, least: number): T {
  if (value === undefined || (Number.isInteger(value) && value >= least)) return value;
  throw invalidOption(name, value, `of ${least} or more`);
}

function invalidOption(name: string, value: number, expected: string): ConfigError {
  return new ConfigError('invalid_option', `The option ${name} is ${value}; expected a whole number ${expected}.`);
}
