/** Timers that fire by hand: a test sees which are set, and decides which fires when. */
import type { TimerKind, Timers } from '../ports.ts';
import { type FixedClock, fixedClock } from './fixed-ports.ts';
import { Milestones } from './milestones.ts';

/** A timer that is set and has not fired. */
export interface PendingTimer {
  readonly kind: TimerKind;
  /** Length as it was set, in milliseconds. */
  readonly ms: number;
  /** When it is due by the clock, in milliseconds since the epoch. */
  readonly due: number;
}

/** Timers that fire by hand. */
export interface ManualTimers extends Timers {
  /** What is set now, in the order of setting. */
  readonly pending: readonly PendingTimer[];
  /** Fires the pending timer of that kind that is due first; the clock moves to its due time if it is not there yet. Throws when there is none. */
  fire(kind: TimerKind): void;
  /** Moves the clock forward and fires what comes due on the way, in order; also what is set on the way. */
  advance(ms: number): void;
  /** Resolves once timers of that kind have been set so often, fired and cancelled ones included (default: once). */
  whenSet(kind: TimerKind, times?: number): Promise<void>;
}

interface SetTimer extends PendingTimer {
  readonly fire: () => void;
}

/** Makes timers that fire by hand; `clock` (default: one of their own that starts at 0) moves with them. */
export function manualTimers(clock: FixedClock = fixedClock()): ManualTimers {
  const pending = new Set<SetTimer>();
  const counts = new Map<TimerKind, Milestones>();

  const countOf = (kind: TimerKind): Milestones => {
    const count = counts.get(kind) ?? new Milestones();
    counts.set(kind, count);
    return count;
  };
  const fire = (timer: SetTimer): void => {
    pending.delete(timer);
    clock.advance(Math.max(0, timer.due - clock.now()));
    timer.fire();
  };

  return {
    get pending() {
      return [...pending].map(({ kind, ms, due }) => ({ kind, ms, due }));
    },
    set(ms, kind, onFire) {
      const timer = { kind, ms, due: clock.now() + ms, fire: onFire };
      pending.add(timer);
      countOf(kind).reach();
      return () => {
        pending.delete(timer);
      };
    },
    fire(kind) {
      const timer = earliest([...pending].filter((candidate) => candidate.kind === kind));
      if (timer === undefined) throw new Error(`no timer of kind ${kind} is set; set are: ${kindsOf(pending)}`);
      fire(timer);
    },
    advance(ms) {
      const end = clock.now() + ms;
      for (let timer = earliest(pending); timer !== undefined && timer.due <= end; timer = earliest(pending)) fire(timer);
      clock.advance(Math.max(0, end - clock.now()));
    },
    whenSet: (kind, times = 1) => countOf(kind).whenReached(times),
  };
}

/** The timer that is due first; of several, the one that was set first. */
function earliest(timers: Iterable<SetTimer>): SetTimer | undefined {
  let first: SetTimer | undefined;
  for (const timer of timers) if (first === undefined || timer.due < first.due) first = timer;
  return first;
}

function kindsOf(timers: Iterable<SetTimer>): string {
  return [...timers].map((timer) => timer.kind).join(', ') || 'none';
}
