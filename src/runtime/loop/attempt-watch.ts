/**
 * AttemptWatch: sees to it that one attempt of a model call ends (L2, L9), by the watchdog or by a cut of the run, whatever the
 * model's stream does. Only content counts as a sign of life, not pings.
 */
import { ModelError } from '../errors.ts';
import { DEFAULTS } from '../schema/config.ts';
import type { LoopContext } from './context.ts';
import type { Cut } from './interruption.ts';
import { LazySignal } from './lazy-signal.ts';

/** The watchdog of one attempt: first content, gap, whole turn; and the ear for a cut of the run. */
export class AttemptWatch {
  /** The cut that ended the attempt. */
  cut: Cut | undefined;
  /** The watchdog's error, when that ended the attempt. */
  expired: ModelError | undefined;
  readonly #run: LoopContext;
  readonly #abort = new LazySignal();
  readonly #forget: () => void;
  readonly #turnEnds: number;
  #contentDue: number;
  #hasContent = false;
  #cancelTimer: () => void = () => {};
  #reject: ((error: unknown) => void) | undefined;

  constructor(run: LoopContext) {
    this.#run = run;
    const now = run.log.clock.now();
    this.#turnEnds = now + DEFAULTS.turnMs;
    this.#contentDue = now + this.#patience;
    this.#arm(now);
    this.#forget = run.interruption.whenCut((cut) => {
      this.cut = cut;
      this.#giveUp(cut.reason);
    });
  }

  /** Aborted when the attempt is given up; for the model. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Nothing will come before all of it: only the time of the whole turn counts. */
  expectWholeReply(): void {
    this.#contentDue = Number.POSITIVE_INFINITY;
  }

  /** A piece of content came. */
  content(): void {
    const first = !this.#hasContent;
    this.#hasContent = true;
    const now = this.#run.log.clock.now();
    this.#contentDue = now + this.#patience;
    // A gap is given less time than the first content, so the timer that is set would come too late.
    if (first) this.#arm(now);
  }

  /** The promise's value, or a rejection as soon as the attempt is cut or expires. */
  race<T>(promise: PromiseLike<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      // Made a promise of: a model is anybody's code, and may hand over what is none.
      Promise.resolve(promise).then(resolve, reject);
      if (this.#abort.aborted !== undefined) reject(this.#abort.aborted.reason);
    });
  }

  /** The attempt is over: nothing is watched any more. */
  end(): void {
    this.#cancelTimer();
    this.#forget();
    this.#reject = undefined;
  }

  get #patience(): number {
    return this.#run.log.state.config.idle_timeout_ms ?? (this.#hasContent ? DEFAULTS.contentGapMs : DEFAULTS.firstContentMs);
  }

  /** One timer, set for whichever is due first; content only moves the due time, so that a delta costs no timer. */
  #arm(now: number): void {
    this.#cancelTimer();
    const turnFirst = this.#turnEnds <= this.#contentDue;
    const due = turnFirst ? this.#turnEnds : this.#contentDue;
    const kind = turnFirst ? 'turn' : this.#hasContent ? 'content_gap' : 'first_content';
    this.#cancelTimer = this.#run.timers.set(Math.max(1, due - now), kind, () => this.#fired());
  }

  #fired(): void {
    const now = this.#run.log.clock.now();
    if (now < this.#contentDue && now < this.#turnEnds) {
      this.#arm(now);
      return;
    }
    const what = now >= this.#turnEnds ? `the turn took longer than ${DEFAULTS.turnMs} ms` : `no content came for ${this.#patience} ms`;
    this.expired = new ModelError('timeout', `The model call was given up: ${what}.`);
    this.#giveUp(this.expired);
  }

  #giveUp(reason: unknown): void {
    this.#abort.abort(reason);
    this.#reject?.(reason);
  }
}
