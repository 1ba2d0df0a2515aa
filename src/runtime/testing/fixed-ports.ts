/** Ports without surprises: a clock that stands still until told, ids that count, randomness that is one number. */
import type { Clock, IdKind, Ids, Random } from '../ports.ts';

/** A clock that moves by hand. */
export interface FixedClock extends Clock {
  /** Moves the clock forward by some milliseconds. */
  advance(ms: number): void;
}

/** Makes a clock that shows `start` (milliseconds since the epoch, default 0) until it is moved. */
export function fixedClock(start = 0): FixedClock {
  let time = start;
  return {
    now: () => time,
    advance(ms) {
      time += ms;
    },
  };
}

/** Makes ids that count from 1 for each kind: `message_1`, `call_1`, `message_2`. `prefix` goes in front. */
export function countingIds(prefix = ''): Ids {
  const counts = new Map<IdKind, number>();
  return {
    next(kind) {
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      return `${prefix}${kind}_${count}`;
    },
  };
}

/** Randomness that is always the same number, from 0 (default) to below 1. */
export function fixedRandom(value = 0): Random {
  return { next: () => value };
}
