/**
 * RunLog: the one author of a run's events (L4, L7, L8, L10). It stamps an event, takes out known keys, gives it to the
 * journal, folds it into the state, and only then shows it to readers and to the `onEvent` hook.
 */
import type { Hooks } from '../agent.ts';
import { deepFreeze } from '../deep-freeze.ts';
import { describeError } from '../errors.ts';
import { EventFeed } from '../event-feed.ts';
import type { Clock, Journal } from '../ports.ts';
import type { Redactor } from '../redactor.ts';
import type { DurableEvent, EphemeralEvent, RunEvent, Unstamped } from '../schema/event.ts';
import { applyEvent } from '../state/apply-event.ts';
import { initialState, type RunState } from '../state/run-state.ts';

/** What a log is made with. */
export interface RunLogParts {
  readonly runId: string;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly hooks: Hooks;
  /** Sees every durable event right behind the fold, before any reader: receipts follow from it. */
  readonly onWritten: (event: DurableEvent) => void;
}

/** Writes the events of one run. */
export class RunLog {
  readonly feed: EventFeed;
  readonly clock: Clock;
  readonly runId: string;
  readonly #journal: Journal;
  readonly #onWritten: (event: DurableEvent) => void;
  #redactor: Redactor;
  #state: RunState;
  #journalFailure: unknown;
  readonly #hooks: Hooks;
  #hookFailed = false;
  #asked = 0;

  constructor(parts: RunLogParts) {
    this.runId = parts.runId;
    this.clock = parts.clock;
    this.#redactor = parts.redactor;
    this.#onWritten = parts.onWritten;
    this.#journal = parts.journal;
    this.#hooks = parts.hooks;
    this.feed = new EventFeed(parts.runId, parts.journal, parts.clock);
    this.#state = initialState(parts.runId);
  }

  /** The fold of all events so far. */
  get state(): RunState {
    return this.#state;
  }

  /** Takes known keys out of texts. */
  get redactor(): Redactor {
    return this.#redactor;
  }

  /** Why the journal cannot be written, once it could not; undefined as long as it can. */
  get journalFailure(): unknown {
    return this.#journalFailure;
  }

  /** Further keys are taken out from here on. */
  hideKeys(keys: Iterable<string>): void {
    this.#redactor = this.#redactor.with(keys);
  }

  /** Writes a durable event; `iteration` only where a new one begins. */
  write(event: Unstamped<DurableEvent>, iteration = this.state.iteration): void {
    const { runId, clock } = this;
    // Assigned, not spread: a spread behind other fields leaves the engine's fast path, and this is done for every event.
    const stamp = { type: event.type, run_id: runId, iteration, time: clock.now(), seq: this.state.seq + 1 };
    // A type and the fields that go with it: what TypeScript knows of each, it cannot tell of both together.
    const stamped = deepFreeze(Object.assign(stamp, this.redactor.value(event)) as DurableEvent);
    this.#journal.append(stamped);
    this.#state = applyEvent(this.#state, stamped);
    this.#onWritten(stamped);
    this.#show(stamped);
  }

  /** Whether anybody would see an ephemeral event. */
  get watched(): boolean {
    return this.feed.watched || this.#hooks.onEvent !== undefined;
  }

  /** Shows an ephemeral event. Its text must be free of keys already (streams hold back; see `Redactor.stream`). */
  show(event: Unstamped<EphemeralEvent>): void {
    if (!this.watched) return;
    const said: object = event;
    const { iteration } = this.state;
    this.#show({ type: event.type, run_id: this.runId, iteration, time: this.clock.now(), ...said } as EphemeralEvent);
  }

  /** Something odd that the run survives. */
  warn(code: string, message: string): void {
    this.write({ type: 'warning', code, message });
  }

  /** Events that the journal has been given and has not been asked to keep yet. */
  get backlog(): number {
    return this.state.seq - this.#asked;
  }

  /** Waits until everything so far is kept. A journal that fails is a warning once; `journalFailure` keeps why. */
  async commit(): Promise<void> {
    this.#asked = this.state.seq;
    try {
      await this.#journal.commit(this.#asked);
    } catch (error) {
      if (this.journalFailure !== undefined) return;
      this.#journalFailure = error ?? 'the journal gave no reason';
      if (this.state.done === undefined) this.warn('journal_unavailable', `The journal cannot be written: ${describeError(error)}.`);
    }
  }

  #show(event: RunEvent): void {
    this.feed.push(event);
    if (this.#hooks.onEvent === undefined) return;
    try {
      const returned = this.#hooks.onEvent(event);
      if (returned instanceof Promise) returned.catch((error: unknown) => this.#hookThrew(error));
    } catch (error) {
      this.#hookThrew(error);
    }
  }

  #hookThrew(error: unknown): void {
    this.#hooks.logger?.warn('the onEvent hook threw', error);
    // One warning a run: a hook that throws at every event, the warning included, would otherwise write for ever.
    if (this.#hookFailed || this.state.done !== undefined) return;
    this.#hookFailed = true;
    this.warn('hook_failed', `The hook onEvent threw: ${describeError(error)}. Further throws are only logged.`);
  }
}
