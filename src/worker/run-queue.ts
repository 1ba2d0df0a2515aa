/** RunQueue: how many runs may have a thread at once; the others wait in the order in which they came. */

/** A place in the queue. */
export interface Place {
  /** Gives the place back, or leaves the queue. A second call does nothing. */
  leave(): void;
}

/** Hands out a fixed number of places. */
export class RunQueue {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Calls `enter` when there is a place: at once where there is one now. */
  join(enter: () => void): Place {
    let state: 'waiting' | 'in' | 'left' = 'waiting';
    const begin = (): void => {
      state = 'in';
      this.#taken += 1;
      enter();
    };
    const leave = (): void => {
      const was = state;
      state = 'left';
      if (was === 'in') this.#free();
      if (was === 'waiting') this.#waiting.splice(this.#waiting.indexOf(begin), 1);
    };
    if (this.#taken < this.#most) begin();
    else this.#waiting.push(begin);
    return { leave };
  }

  #free(): void {
    this.#taken -= 1;
    if (this.#taken < this.#most) this.#waiting.shift()?.();
  }
}
