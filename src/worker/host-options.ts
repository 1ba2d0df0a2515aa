/** What a host is made with, and what a run is started with on it. */

import type { AgentData } from '../node/agent-data.ts';
import type { Recording } from '../node/recording/file-recording.ts';
import type { Clock, Ids, Timers } from '../runtime/ports.ts';
import type { RunConfig } from '../runtime/schema/config.ts';
import type { RunEvent } from '../runtime/schema/event.ts';
import type { RunInput } from '../runtime/start-options.ts';
import type { OnOutput } from './thread-output.ts';

/** Options of `createHost`. */
export interface HostOptions {
  /** Runs that have a thread at once; further ones wait their turn. Default 64, at most 512. */
  readonly maxThreads?: number;
  /** Threads that are kept loaded for the next runs, once there has been a first. Default 1; 0 for a program that has only one run. */
  readonly warmThreads?: number;
  /** Heap of each thread in megabytes, from 16 on; default as much as Node gives it. Buffers are not counted. */
  readonly heapMb?: number;
  /** How long a thread may leave a ping unanswered, in milliseconds. Default 30,000. */
  readonly pingMs?: number;
  /** How long a run may take to end after a stop, in milliseconds, before its thread is ended. Default 2,000. */
  readonly graceMs?: number;
  /** Is handed what code in the threads prints. Default: it goes to stderr as inert text. */
  readonly onOutput?: OnOutput;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly timers?: Timers;
}

/** What a host needs of a recording; `openRecording` gives one. */
export type HostRecording = Pick<Recording, 'append' | 'journalFor'>;

/** Options of `host.start`. All but the functions, the signal and the recording must be plain data. */
export interface HostStartOptions {
  /** An agent module (a path, a file URL, or the name of a package, each with a default export made by `defineAgent`), or data. */
  readonly agent: string | AgentData;
  readonly input: RunInput;
  /** Goes over the agent's own. */
  readonly config?: RunConfig;
  /** Names the run while it is live: a second start of the same owner with the same key is refused. */
  readonly key?: string;
  /** Id of the run; default a new one. */
  readonly id?: string;
  readonly sessionId?: string;
  readonly owner?: string;
  /** Aborting it is a `stop` now. Its reason is kept. */
  readonly signal?: AbortSignal;
  /**
   * Where the run is recorded; default in memory. A function is called once everything else has been checked, so that a run that
   * cannot start leaves no file behind; when it rejects, so does `start`. The host closes neither.
   */
  readonly recording?: HostRecording | (() => Promise<HostRecording>);
  readonly onJournalError?: 'end' | 'continue';
  /** Sees every event, once the journal has taken it. What it throws is swallowed. */
  readonly onEvent?: (event: RunEvent) => unknown;
  /** Further keys that must not leave the run. */
  readonly secrets?: readonly string[];
  /** Heap of this run's thread in megabytes, in place of the host's. */
  readonly heapMb?: number;
}
