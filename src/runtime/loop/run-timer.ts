/** The run's time limit (L5): one timer, set again whenever the limit changes; firing cuts the run. */
import type { Timers } from '../ports.ts';
import type { Interruption } from './interruption.ts';
import type { RunLog } from './run-log.ts';

/** Watches `timeout_ms`. */
export class RunTimer {
  readonly #log: RunLog;
  readonly #timers: Timers;
  readonly #interruption: Interruption;
  #limit: number | undefined;
  #cancel: (() => void) | undefined;

  constructor(log: RunLog, timers: Timers, interruption: Interruption) {
    this.#log = log;
    this.#timers = timers;
    this.#interruption = interruption;
  }

  /** Sets the timer by the config in force; does nothing where the limit is the same. */
  set(): void {
    const { config, started_at } = this.#log.state;
    if (config.timeout_ms === this.#limit) return;
    this.cancel();
    const limit = config.timeout_ms;
    this.#limit = limit;
    if (limit === undefined) return;
    const spent = this.#log.clock.now() - (started_at ?? this.#log.clock.now());
    this.#cancel = this.#timers.set(Math.max(0, limit - spent), 'run_timeout', () => this.#fire(limit));
  }

  /** Takes the timer away. */
  cancel(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#limit = undefined;
  }

  #fire(limit: number): void {
    if (this.#interruption.cut !== undefined || this.#log.state.done !== undefined) return;
    const spent = this.#log.clock.now() - (this.#log.state.started_at ?? 0);
    this.#log.write({
      type: 'limit_reached',
      limit: 'timeout_ms',
      limit_value: limit,
      spent,
      message: `timeout_ms is ${limit}; the run has taken ${spent} ms.`,
    });
    this.#interruption.cutNow({ ending: { reason: 'timeout' }, reason: 'timeout' });
  }
}
