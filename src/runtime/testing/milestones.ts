/** Milestones: a count that others wait for, so that a test goes on when something has happened and not after some time. */
import { type Deferred, deferred } from './deferred.ts';

/** A count that rises, and promises for its values. */
export class Milestones {
  #count = 0;
  readonly #waiting: { readonly at: number; readonly reached: Deferred<void> }[] = [];

  /** The count so far. */
  get count(): number {
    return this.#count;
  }

  /** Raises the count, by one or to a value; whoever waited for it goes on. */
  reach(count = this.#count + 1): void {
    this.#count = Math.max(this.#count, count);
    for (const { at, reached } of this.#waiting) if (at <= this.#count) reached.resolve();
  }

  /** Resolves once the count is `at` or more. */
  whenReached(at: number): Promise<void> {
    const reached = deferred();
    if (at <= this.#count) reached.resolve();
    else this.#waiting.push({ at, reached });
    return reached.promise;
  }
}
