/** One reader of a recorded run: gives the events one by one, as far apart as they were, or closer. */
import type { Timers } from '../ports.ts';
import type { RunEvent } from '../schema/event.ts';

/** How fast events follow each other. `speed` 0: at once. */
export interface Pace {
  readonly speed: number;
  readonly maxWaitMs: number;
  readonly timers: Timers;
}

/** Reads events from a place in the list on; the first comes at once. Leaving it ends a wait that is under way. */
export class PacedReader implements AsyncIterator<RunEvent> {
  readonly #events: readonly RunEvent[];
  readonly #pace: Pace;
  #place: number;
  #lastTime: number | undefined;
  #ended = false;
  #endWait: (() => void) | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(events: readonly RunEvent[], start: number, pace: Pace) {
    this.#events = events;
    this.#place = start;
    this.#pace = pace;
  }

  /** The next event; calls that overlap are served in order. */
  next(): Promise<IteratorResult<RunEvent, undefined>> {
    const answer = this.#turn.then(() => this.#step());
    this.#turn = answer;
    return answer;
  }

  /** Ends the reader, in the middle of a wait too. */
  return(): Promise<IteratorResult<RunEvent, undefined>> {
    this.#ended = true;
    this.#endWait?.();
    return Promise.resolve({ value: undefined, done: true });
  }

  async #step(): Promise<IteratorResult<RunEvent, undefined>> {
    const event = this.#events[this.#place];
    if (event !== undefined) await this.#wait(event.time - (this.#lastTime ?? event.time));
    if (event === undefined || this.#ended) return { value: undefined, done: true };
    this.#place += 1;
    this.#lastTime = event.time;
    return { value: event, done: false };
  }

  async #wait(recordedMs: number): Promise<void> {
    const { speed, maxWaitMs, timers } = this.#pace;
    const ms = speed === 0 ? 0 : Math.min(recordedMs / speed, maxWaitMs);
    // Clocks go backwards now and then.
    if (ms <= 0 || this.#ended) return;
    await new Promise<void>((resolve) => {
      const cancel = timers.set(ms, 'replay', resolve);
      this.#endWait = () => {
        cancel();
        resolve();
      };
    });
    this.#endWait = undefined;
  }
}
