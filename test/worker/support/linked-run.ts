/**
 * A run in a thread without the thread: both sides of the channel in one process, linked in memory, so that a test decides
 * what arrives when and when the thread dies.
 */
import type { Agent } from '../../../src/runtime/agent.ts';
import { systemClock } from '../../../src/runtime/default-ports.ts';
import type { Journal } from '../../../src/runtime/ports.ts';
import { Redactor } from '../../../src/runtime/redactor.ts';
import type { EphemeralEvent, RunEvent } from '../../../src/runtime/schema/event.ts';
import {
  countingIds,
  deferred,
  type LinkedChannel,
  linkedChannel,
  type ManualTimers,
  manualJournal,
  manualTimers,
} from '../../../src/runtime/testing/index.ts';
import { CHANNEL_VERSION, type FromThread, type StartMessage, type ToThread } from '../../../src/worker/channel-messages.ts';
import type { Departure } from '../../../src/worker/death.ts';
import { RemoteRun } from '../../../src/worker/remote-run.ts';
import type { Seat } from '../../../src/worker/thread-pool.ts';
import { serveRun } from '../../../src/worker/thread-run.ts';

/** What a test may choose. */
export interface LinkedRunOptions {
  /** Default: nobody serves, and the test plays the thread. */
  readonly agent?: Agent;
  readonly journal?: Journal;
  readonly start?: Partial<StartMessage>;
  readonly secrets?: readonly string[];
  readonly onEvent?: (event: RunEvent) => unknown;
}

/** The two sides, and what is between them. */
export interface LinkedRun {
  readonly remote: RemoteRun;
  readonly channel: LinkedChannel<ToThread, FromThread>;
  readonly timers: ManualTimers;
  /** Ephemeral events that were to be kept. */
  readonly kept: EphemeralEvent[];
  /** Opens the thread, as a host does when there is a place. */
  begin(): void;
  /** The thread dies: what it has sent arrives, and then it is gone. */
  die(departure: Departure): void;
  /** Resolves when the serving side has ended. */
  readonly served: Promise<void>;
}

/** Links a run. It begins only with `begin`. */
export function linkedRun(options: LinkedRunOptions = {}): LinkedRun {
  const channel = linkedChannel<ToThread, FromThread>();
  const timers = manualTimers();
  const kept: EphemeralEvent[] = [];
  const departed = deferred<Departure>();
  const closed = deferred();
  const served = deferred();
  channel.left.onClose(() => closed.resolve());
  const die = (departure: Departure): void => {
    departed.resolve(departure);
    channel.right.close();
  };
  const seat: Seat = {
    end: { ...channel.left, poll: () => {} },
    gone: closed.promise.then(() => departed.promise),
    identify: () => {},
    kill: () => die({ kind: 'ended' }),
  };
  const remote = new RemoteRun({
    start: startMessage(options.start),
    journal: options.journal ?? manualJournal(),
    keep: (event) => kept.push(event),
    onEvent: options.onEvent,
    clock: systemClock,
    ids: countingIds('host_'),
    timers,
    redactor: new Redactor(options.secrets ?? []),
    pingMs: 30_000,
    graceMs: 2_000,
    heapMb: undefined,
  });
  const begin = (): void => {
    remote.begin(() => seat);
    const { agent } = options;
    if (agent === undefined) return;
    const serving = serveRun({ end: { ...channel.right, poll: () => {} }, threadId: 1, load: () => Promise.resolve(agent) });
    void serving.then(() => {
      served.resolve();
      die({ kind: 'exited', code: 0 });
    });
  };
  return { remote, channel, timers, kept, begin, die, served: served.promise };
}

function startMessage(more: Partial<StartMessage> = {}): StartMessage {
  return {
    type: 'start',
    version: CHANNEL_VERSION,
    run_id: 'run_1',
    agent: { kind: 'module', specifier: 'not-loaded' },
    input: 'hello',
    grace_ms: 50,
    secrets: [],
    ...more,
  };
}

/** One turn of the event loop, in which everything that is due has run. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
