/**
 * replayRun: a recorded run as a `Run`, so that whoever shows a live run shows a recorded one with the same code.
 * No model is called and no tool runs. The run is over from the beginning: its result and its messages are there at
 * once and every control is refused; only `events()` takes its time, each reader at its own pace.
 */
import { systemTimers } from '../default-ports.ts';
import { doneOf } from '../ending.ts';
import { ConfigError } from '../errors.ts';
import type { Timers } from '../ports.ts';
import { ReceiptBook } from '../receipt-book.ts';
import { RUN_OVER } from '../refusals.ts';
import type { EventsOptions, Run } from '../run.ts';
import { createRunHandle, runResult } from '../run-handle.ts';
import type { Control } from '../schema/control.ts';
import { type DoneEvent, isDurable, type RunEvent } from '../schema/event.ts';
import { applyEvent } from '../state/apply-event.ts';
import { historyOf } from '../state/history.ts';
import { initialState, type RunState } from '../state/run-state.ts';
import { PacedReader } from './paced-reader.ts';

/** Options of `replayRun`. */
export interface ReplayOptions {
  /** How many times faster than it was; 0: without any waiting. Default 1. */
  readonly speed?: number;
  /** Longest wait between two events, in milliseconds; default as long as it was. */
  readonly maxWaitMs?: number;
  readonly timers?: Timers;
}

/**
 * The recorded run of these events, which are those of one run in order (`eventsOfRun` gives them). Throws a `ConfigError`
 * when there are none, when they are of several runs, or when an option is no number that fits. A recording that ends
 * before its run does (the process died) has the result `crashed`, error code `recording_incomplete`, and no `done` event.
 */
export function replayRun(events: readonly RunEvent[], options: ReplayOptions = {}): Run {
  const id = runIdOf(events);
  const pace = {
    speed: atLeastZero('speed', options.speed ?? 1),
    maxWaitMs: atLeastZero('maxWaitMs', options.maxWaitMs ?? Number.MAX_SAFE_INTEGER),
    timers: options.timers ?? systemTimers,
  };
  const state = stateAfter(id, events);
  return createRunHandle({
    id,
    feed: { events: ({ from = 'start' } = {}) => ({ [Symbol.asyncIterator]: () => new PacedReader(events, startOf(events, from), pace) }) },
    result: Promise.resolve(runResult(state, state.done ?? missingDone(state))),
    send: refuse,
    messages: () => Promise.resolve(historyOf(state)),
  });
}

function runIdOf(events: readonly RunEvent[]): string {
  const first = events[0];
  if (first === undefined) throw new ConfigError('empty_recording', 'There is nothing to replay: the list of events is empty.');
  const other = events.find((event) => event.run_id !== first.run_id);
  if (other !== undefined) {
    throw new ConfigError(
      'several_runs',
      `The events are of the runs ${first.run_id} and ${other.run_id}; take those of one with eventsOfRun(lines, id).`,
    );
  }
  return first.run_id;
}

function atLeastZero(name: string, value: number): number {
  if (Number.isFinite(value) && value >= 0) return value;
  throw new ConfigError('invalid_option', `replayRun: ${name} is ${value}; expected a number of 0 or more.`);
}

function stateAfter(runId: string, events: readonly RunEvent[]): RunState {
  return events.reduce((state, event) => (isDurable(event) ? applyEvent(state, event) : state), initialState(runId));
}

function startOf(events: readonly RunEvent[], from: NonNullable<EventsOptions['from']>): number {
  if (from === 'start') return 0;
  const start = from === 'now' ? -1 : events.findIndex((event) => isDurable(event) && event.seq >= from);
  return start < 0 ? events.length : start;
}

/** What the recording would say, had somebody been left to write it. */
function missingDone(state: RunState): DoneEvent {
  const { run_id, iteration, seq, spent } = state;
  const error = {
    code: 'recording_incomplete',
    message: `The recording of run ${run_id} ends with seq ${seq} and has no end of the run: the process that wrote it died.`,
  };
  const stamp = { run_id, iteration, time: 0, seq: seq + 1 };
  return { ...stamp, ...doneOf(state, { reason: 'crashed', error }), usage: { ...spent.usage, complete: false } };
}

function refuse(control: Control): ReturnType<Run['send']> {
  return ReceiptBook.refused(control.id ?? 'replay', { ...RUN_OVER, message: 'A recorded run is over; it takes no controls.' });
}
