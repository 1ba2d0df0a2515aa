/**
 * ChannelJournal: the journal of a loop in a thread. Its events are kept by the host, so `append` sends one at once
 * (what was sent survives `process.exit`, L4), and `commit` waits for the host's word that it is kept. The loop commits
 * before every model request, before every call with an effect, and when very many events wait: what the host has not
 * acknowledged is bounded by that (L8).
 */
import { SteerloopError } from '../runtime/errors.ts';
import type { Journal } from '../runtime/ports.ts';
import type { ErrorData } from '../runtime/schema/error-data.ts';
import type { DurableEvent } from '../runtime/schema/event.ts';

interface Waiter {
  readonly seq: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** A journal whose keeper sits at the other end of a channel. */
export class ChannelJournal implements Journal {
  readonly #post: (event: DurableEvent) => void;
  #waiters: Waiter[] = [];
  #committed = 0;
  #failure: unknown;

  /** `post` sends one event to the host, behind everything that was sent before. */
  constructor(post: (event: DurableEvent) => void) {
    this.#post = post;
  }

  append(event: DurableEvent): void {
    try {
      this.#post(event);
    } catch (error) {
      // An event that cannot be cloned: told by the next commit, as the port asks.
      this.#fail(error);
    }
  }

  commit(seq: number): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (seq <= this.#committed) return Promise.resolve();
    return new Promise((resolve, reject) => this.#waiters.push({ seq, resolve, reject }));
  }

  /** The events stand with the host: whoever wants to read them reads them there. */
  read(): Promise<readonly DurableEvent[]> {
    return Promise.reject(new SteerloopError('journal_is_remote', "The events of a run in a thread are read through the host's run."));
  }

  /** The host keeps every event up to `seq`, or, with an error, can keep no more. */
  acknowledge(seq: number, error?: ErrorData): void {
    this.#committed = Math.max(this.#committed, seq);
    const kept = this.#waiters.filter((waiter) => waiter.seq <= this.#committed);
    this.#waiters = this.#waiters.filter((waiter) => waiter.seq > this.#committed);
    for (const waiter of kept) waiter.resolve();
    if (error !== undefined) this.#fail(new SteerloopError(error.code, error.message));
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    for (const waiter of this.#waiters) waiter.reject(this.#failure);
    this.#waiters = [];
  }
}
