/**
 * VitalSigns: notices that a thread will not end its run by itself, and asks for its end. Three cases: it does not answer a
 * ping; a stop was asked for and the grace is over; its time limit has passed and it does not answer (a loop that lives
 * keeps its own limit, and may be waiting for a person with the clock stopped).
 */
import type { Timers } from '../runtime/ports.ts';

/** Why a thread was ended from outside. */
export type Verdict = 'unresponsive' | 'stopped' | 'timeout';

/** What watching a thread takes. */
export interface VitalSignsParts {
  readonly timers: Timers;
  /** How long a ping may go unanswered, in milliseconds. */
  readonly pingMs: number;
  /** How long a thread may take to end after it was asked to, in milliseconds. */
  readonly graceMs: number;
  /** Sends a ping; the thread answers with the same id. */
  ping(id: number): void;
  /** Ends the thread. Called once at most. */
  end(verdict: Verdict): void;
}

/** Watches one thread. */
export class VitalSigns {
  readonly #parts: VitalSignsParts;
  /** What cancels the timers that are set. */
  readonly #timers = new Map<'ping' | 'stop' | 'limit' | 'probe', () => void>();
  #lastPing = 0;
  #lastPong = 0;
  #over = false;

  constructor(parts: VitalSignsParts) {
    this.#parts = parts;
  }

  /** From here on the thread has to answer: one ping a period. */
  begin(): void {
    const id = this.#ping();
    this.#set('ping', this.#parts.pingMs, () => (this.#lastPong >= id ? this.begin() : this.#end('unresponsive')));
  }

  /** The thread has answered. */
  pong(id: number): void {
    this.#lastPong = Math.max(this.#lastPong, id);
  }

  /** The run was told to stop now. */
  stopAsked(): void {
    if (this.#timers.has('stop')) return;
    this.#set('stop', this.#parts.graceMs, () => this.#end('stopped'));
  }

  /**
   * The agent is loading, and the run has this time limit, in milliseconds, which nobody keeps before there is a loop. As much
   * again as for a ping is left for the loading itself, which is slow on a busy machine and is none of the run's time.
   */
  loading(limitMs: number): void {
    this.#set('limit', limitMs + this.#parts.pingMs, () => this.#end('timeout'));
  }

  /** The run's time limit, in milliseconds from now; undefined takes it away. */
  limit(ms: number | undefined): void {
    this.#cancel('limit');
    this.#cancel('probe');
    if (ms !== undefined) this.#set('limit', ms + this.#parts.graceMs, () => this.#probe(ms));
  }

  /** The thread is gone or on its way: no more verdicts. */
  close(): void {
    this.#over = true;
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }

  #probe(ms: number): void {
    const id = this.#ping();
    this.#set('probe', this.#parts.graceMs, () => (this.#lastPong >= id ? this.limit(ms) : this.#end('timeout')));
  }

  #ping(): number {
    this.#lastPing += 1;
    this.#parts.ping(this.#lastPing);
    return this.#lastPing;
  }

  #end(verdict: Verdict): void {
    if (this.#over) return;
    this.close();
    this.#parts.end(verdict);
  }

  #set(name: 'ping' | 'stop' | 'limit' | 'probe', ms: number, fire: () => void): void {
    if (this.#over) return;
    const kinds = { ping: 'ping', stop: 'grace', limit: 'run_timeout', probe: 'ping' } as const;
    const cancel = this.#parts.timers.set(ms, kinds[name], () => {
      this.#timers.delete(name);
      fire();
    });
    this.#timers.set(name, cancel);
  }

  #cancel(name: 'limit' | 'probe'): void {
    this.#timers.get(name)?.();
    this.#timers.delete(name);
  }
}
