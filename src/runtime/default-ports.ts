/** The ports as they are where nobody brings others: the real clock, random ids, real timers. Portable. */
import type { Clock, IdKind, Ids, Random, Timers } from './ports.ts';

/** The system's clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** `Math.random`. */
export const systemRandom: Random = { next: () => Math.random() };

const PREFIX: Record<IdKind, string> = { run: 'run', message: 'msg', call: 'call', control: 'ctl' };

/** Ids that are unique everywhere: a random stem for each maker and a counter. */
export function randomIds(): Ids {
  const stem = crypto.randomUUID().replaceAll('-', '').slice(0, 12);
  let count = 0;
  return {
    next(kind) {
      count += 1;
      return kind === 'run'
        ? `run_${crypto.randomUUID().replaceAll('-', '').slice(0, 20)}`
        : `${PREFIX[kind]}_${stem}${count.toString(36)}`;
    },
  };
}

/** Above this `setTimeout` fires at once. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;

/** `setTimeout`, for waits of any length. */
export const systemTimers: Timers = {
  set(ms, _kind, fire) {
    let left = Math.max(0, ms);
    let timer: ReturnType<typeof setTimeout>;
    const arm = (): void => {
      const step = Math.min(left, LONGEST_TIMEOUT);
      left -= step;
      timer = setTimeout(() => (left > 0 ? arm() : fire()), step);
    };
    arm();
    return () => clearTimeout(timer);
  },
};
