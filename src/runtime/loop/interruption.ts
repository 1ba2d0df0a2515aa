/**
 * Interruption: the one place that says "this run ends now", and the plain callbacks of those who wait. It costs nothing
 * until it happens: a listener is an entry in a set, not an event target, since every iteration adds and removes some.
 */
import type { Ending } from '../ending.ts';

/** Why a run was cut: what it ends as, and the reason that signals carry. */
export interface Cut {
  readonly ending: Ending;
  readonly reason: unknown;
}

/** Tells everything that waits in a run that something has changed. */
export class Interruption {
  readonly #onCut = new Set<(cut: Cut) => void>();
  readonly #onControl = new Set<() => void>();
  #cut: Cut | undefined;

  /** The cut, once there is one. The first stands. */
  get cut(): Cut | undefined {
    return this.#cut;
  }

  /** Cuts the run: whatever waits or runs is told at once. Later calls do nothing. */
  cutNow(cut: Cut): void {
    if (this.#cut !== undefined) return;
    this.#cut = cut;
    for (const listener of [...this.#onCut]) listener(cut);
    this.#onCut.clear();
  }

  /** Calls back when the run is cut; at once when it is already. Returns what takes the callback away. */
  whenCut(listener: (cut: Cut) => void): () => void {
    if (this.#cut !== undefined) {
      listener(this.#cut);
      return () => {};
    }
    this.#onCut.add(listener);
    return () => this.#onCut.delete(listener);
  }

  /** The promise's value; undefined as soon as the run is cut, whatever the promise does then. Rejects with it before that. */
  orCut<T>(promise: PromiseLike<T>): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      const forget = this.whenCut(() => resolve(undefined));
      promise.then(
        (value) => {
          forget();
          resolve(value);
        },
        (error: unknown) => {
          forget();
          reject(error);
        },
      );
    });
  }

  /** A control was accepted: those who can be steered look at the state again. */
  controlCame(): void {
    for (const listener of [...this.#onControl]) listener();
  }

  /** Calls back at every accepted control. Returns what takes the callback away. */
  whenControl(listener: () => void): () => void {
    this.#onControl.add(listener);
    return () => this.#onControl.delete(listener);
  }
}
