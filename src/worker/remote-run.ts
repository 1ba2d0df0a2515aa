/**
 * RemoteRun: a run whose loop lives in a thread, from the host's side. It sends the start and the controls, takes the
 * events, watches that the thread lives, and sees to it that the run ends whatever becomes of the thread (L2, L4, L8): after
 * the last event that arrived, with its process groups killed, with one `done`.
 */
import type { Clock, Ids, Journal, Timers } from '../runtime/ports.ts';
import type { Redactor } from '../runtime/redactor.ts';
import type { Run } from '../runtime/run.ts';
import { createRunHandle } from '../runtime/run-handle.ts';
import type { Control } from '../runtime/schema/control.ts';
import type { ErrorData } from '../runtime/schema/error-data.ts';
import type { DurableEvent, EphemeralEvent, RunEvent } from '../runtime/schema/event.ts';
import { historyOf } from '../runtime/state/history.ts';
import type { FromThread, StartMessage, ToThread } from './channel-messages.ts';
import { ChildGroups } from './child-groups.ts';
import { ControlDesk } from './control-desk.ts';
import { type Departure, endingOf } from './death.ts';
import { BATCHES_A_RECEIPT } from './delta-batch.ts';
import { parseFromThread } from './parse-message.ts';
import { RunMirror } from './run-mirror.ts';
import type { Seat } from './thread-pool.ts';
import { type Verdict, VitalSigns } from './vital-signs.ts';

/** What a remote run is made with. */
export interface RemoteRunParts {
  readonly start: StartMessage;
  readonly journal: Journal;
  /** Keeps ephemeral events, where something does. */
  readonly keep?: (event: EphemeralEvent) => void;
  readonly onEvent?: (event: RunEvent) => unknown;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly timers: Timers;
  /** Takes the keys that are known from the beginning out of what the host writes. */
  readonly redactor: Redactor;
  readonly pingMs: number;
  readonly graceMs: number;
  readonly heapMb: number | undefined;
  /** The thread has loaded. */
  readonly onReady?: () => void;
}

/** A run in a thread. */
export class RemoteRun {
  /** What is handed out. */
  readonly run: Run;
  /** Resolves when `done` is kept and the thread is gone; never rejects. */
  readonly over: Promise<void>;
  readonly #parts: RemoteRunParts;
  readonly #mirror: RunMirror;
  readonly #desk: ControlDesk;
  readonly #vitals: VitalSigns;
  readonly #children: ChildGroups;
  /** Controls that came before there was a thread. */
  readonly #early: ToThread[] = [];
  #seat: Seat | undefined;
  #limitMs: number | undefined;
  #committed = 0;
  #deltaBatches = 0;
  #verdict: Verdict | undefined;
  #channelError: unknown;
  #startFailure: ErrorData | undefined;
  #redactor: Redactor;
  /** The loop's own `done`, which waits until the process groups are gone. */
  #closing: Promise<void> | undefined;
  #resolveOver: () => void = () => {};

  constructor(parts: RemoteRunParts) {
    this.#parts = parts;
    this.#redactor = parts.redactor;
    this.#children = new ChildGroups(parts.timers);
    const { run_id: runId } = parts.start;
    this.over = new Promise((resolve) => (this.#resolveOver = resolve));
    this.#mirror = new RunMirror({ ...parts, runId, acknowledge: (seq, error) => this.#acknowledge(seq, error) });
    this.#desk = new ControlDesk({
      receipts: this.#mirror.receipts,
      ids: parts.ids,
      over: () => this.#mirror.state.done !== undefined,
      forward: (control, by) => this.#forward(control, by),
    });
    this.#vitals = new VitalSigns({
      ...parts,
      ping: (id) => this.#post({ type: 'ping', id }),
      end: (verdict) => this.#kill(verdict),
    });
    this.run = createRunHandle({
      id: runId,
      feed: this.#mirror.feed,
      result: this.#mirror.result,
      send: (control, options) => this.#desk.send(control, options?.by),
      messages: () => Promise.resolve(historyOf(this.#mirror.state)),
    });
  }

  /** There is a thread for the run. Does nothing when the run has ended while it waited: then the thread is not needed. */
  begin(open: () => Seat): void {
    if (this.#mirror.state.done !== undefined) return;
    const seat = open();
    this.#seat = seat;
    seat.end.listen((message) => this.#take(message));
    this.#post(this.#parts.start);
    for (const message of this.#early.splice(0)) this.#post(message);
    this.#vitals.begin();
    const { timeout_ms: limitMs } = this.#parts.start.config ?? {};
    if (limitMs !== undefined) this.#vitals.loading(limitMs);
    void seat.gone.then((departure) => this.#gone(departure));
  }

  #post(message: ToThread): void {
    this.#seat?.end.post(message);
  }

  #forward(control: Control, by: string | undefined): void {
    const stopsNow = control.type === 'stop' && control.mode !== 'after_step';
    if (this.#seat === undefined) {
      if (stopsNow) this.#endUnbegun();
      else this.#early.push({ type: 'control', control, by });
      return;
    }
    this.#post({ type: 'control', control, by });
    if (stopsNow) this.#vitals.stopAsked();
  }

  /** Stopped while it waited for a thread. */
  #endUnbegun(): void {
    this.#mirror.end({ reason: 'stopped' });
    void this.#mirror.result.then(this.#resolveOver);
  }

  #take(data: unknown): void {
    // Behind a message that did not fit nothing can be relied on.
    if (this.#channelError !== undefined) return;
    try {
      this.#handle(parseFromThread(data));
    } catch (error) {
      this.#channelError = error;
      this.#seat?.kill();
    }
  }

  #handle(message: FromThread): void {
    switch (message.type) {
      case 'ready':
        this.#seat?.identify(message.thread_id, this.run.id);
        return this.#parts.onReady?.();
      case 'keys':
        this.#redactor = this.#redactor.with(message.keys);
        return;
      case 'event':
        return this.#takeEvent(message.event);
      case 'deltas':
        return this.#takeDeltas(message.events);
      case 'refused':
        // One that stands in the journal is accepted, whatever became of the journal since: that is told elsewhere.
        if (!this.#mirror.state.controls.has(message.id)) this.#desk.refused(message.id, message.reason, message.message);
        return;
      case 'failed':
        this.#startFailure = message.error;
        return;
      case 'child':
        return this.#children.note(message.pid, message.state);
      case 'pong':
        return this.#vitals.pong(message.id);
      case 'call':
        return this.#post({
          type: 'reply',
          id: message.id,
          error: { code: 'unknown_call', message: `The host answers no call ${message.name}.` },
        });
    }
  }

  #takeEvent(event: DurableEvent): void {
    if (event.type === 'control_received') this.#desk.accepted(event.control_id);
    if (event.type === 'done') this.#leave();
    if (event.type === 'done' && this.#children.any) this.#closing = this.#children.killAll().then(() => this.#mirror.take(event));
    else this.#mirror.take(event);
    this.#followLimit();
  }

  /** The loop is done: from here on the thread has the grace to end by itself. */
  #leave(): void {
    this.#vitals.limit(undefined);
    this.#vitals.stopAsked();
  }

  #takeDeltas(events: readonly EphemeralEvent[]): void {
    this.#deltaBatches += 1;
    this.#mirror.show(events);
    if (this.#deltaBatches % BATCHES_A_RECEIPT === 0) this.#acknowledge(this.#committed);
  }

  #followLimit(): void {
    const { config, done } = this.#mirror.state;
    if (done !== undefined || config.timeout_ms === this.#limitMs) return;
    this.#limitMs = config.timeout_ms;
    this.#vitals.limit(this.#limitMs);
  }

  #acknowledge(seq: number, error?: ErrorData): void {
    this.#committed = Math.max(this.#committed, seq);
    this.#post({ type: 'ack', committed_seq: this.#committed, delta_batches: this.#deltaBatches, ...(error !== undefined && { error }) });
  }

  #kill(verdict: Verdict): void {
    this.#verdict = verdict;
    this.#seat?.kill();
  }

  async #gone(departure: Departure): Promise<void> {
    this.#vitals.close();
    await this.#closing;
    await this.#children.killAll();
    const { pingMs, heapMb } = this.#parts;
    const ending = endingOf(departure, {
      verdict: this.#verdict,
      channelError: this.#channelError,
      startFailure: this.#startFailure,
      begun: this.#mirror.state.seq > 0,
      heapMb,
      pingMs,
    });
    this.#mirror.end(this.#redactor.value(ending));
    await this.#mirror.result;
    this.#resolveOver();
  }
}
