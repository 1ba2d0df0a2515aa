/**
 * Inbox: where controls reach a run (L1, L2). A control is checked, refused with a reason or accepted; acceptance is the
 * event `control_received`. A stop acts here, at once; everything else waits in the state until the loop takes it.
 */
import { parseControl } from '../parse-control.ts';
import type { Ids } from '../ports.ts';
import { ReceiptBook } from '../receipt-book.ts';
import { idReused, NOT_KEPT, QUEUE_FULL, type Refusal, RUN_OVER } from '../refusals.ts';
import type { Receipt } from '../run.ts';
import { DEFAULTS } from '../schema/config.ts';
import { type Control, controlFingerprint, type StopControl } from '../schema/control.ts';
import type { Interruption } from './interruption.ts';
import type { RunLog } from './run-log.ts';

/** Stops that may wait at a time, beside what else does. */
const MOST_STOPS = 8;

/** Takes the controls of one run. */
export class Inbox {
  readonly #log: RunLog;
  readonly #interruption: Interruption;
  readonly #ids: Ids;
  readonly #receipts: ReceiptBook;
  #closed = false;

  constructor(log: RunLog, interruption: Interruption, ids: Ids, receipts: ReceiptBook) {
    this.#log = log;
    this.#interruption = interruption;
    this.#ids = ids;
    this.#receipts = receipts;
  }

  /** The run is ending: what comes now would find nobody to take it, not even while the last events are being written. */
  close(): void {
    this.#closed = true;
  }

  /** See `Run.send`. */
  send(input: Control, by?: string): Receipt {
    const parsed = parseControl(input);
    if (!parsed.ok) return ReceiptBook.refused(parsed.id ?? this.#ids.next('control'), { reason: 'invalid', message: parsed.message });
    const { control } = parsed;
    const id = control.id ?? this.#ids.next('control');
    const known = this.#log.state.controls.get(id);
    if (known !== undefined) return this.#repeated(id, known === controlFingerprint(this.#log.redactor.value(control)));
    const refusal = this.#refusal(control);
    return refusal === undefined ? this.#accept(id, control, by) : ReceiptBook.refused(id, refusal);
  }

  #repeated(id: string, same: boolean): Receipt {
    const receipt = this.#receipts.get(id);
    if (same && receipt !== undefined) return receipt;
    return ReceiptBook.refused(id, idReused(id));
  }

  #refusal(control: Control): Refusal | undefined {
    if (this.#closed) return RUN_OVER;
    const open = this.#log.state.open_controls;
    // A stop gets through a full queue, which may need it most; but so do only a few, since one is enough.
    if (control.type === 'stop') return open.filter((other) => other.control.type === 'stop').length < MOST_STOPS ? undefined : QUEUE_FULL;
    if (open.length >= DEFAULTS.queueLength) return QUEUE_FULL;
    const delivery = control.type === 'inject' ? (control.delivery ?? 'next_step') : undefined;
    if (control.type === 'modify_config' || delivery === 'next_step') return undefined;
    const what = delivery === undefined ? control.type : `${control.type} ${delivery}`;
    return { reason: 'unsupported', message: `This version does not take the control ${what}.` };
  }

  #accept(id: string, control: Control, by: string | undefined): Receipt {
    const receipt = this.#receipts.open(id);
    this.#log.write({ type: 'control_received', control_id: id, control, ...(by !== undefined && { by }) });
    void this.#log.commit().then(() => {
      this.#receipts.accept(id, this.#log.journalFailure === undefined ? { ok: true } : NOT_KEPT);
    });
    if (control.type === 'stop' && control.mode !== 'after_step') this.#stopNow(control);
    else this.#interruption.controlCame();
    return receipt;
  }

  #stopNow(control: StopControl): void {
    this.#interruption.cutNow({ ending: { reason: 'stopped' }, reason: control.reason ?? 'stopped' });
  }
}
