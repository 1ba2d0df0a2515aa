/**
 * ControlDesk: takes the controls of a run in a thread. What can be refused without the thread is refused here; the rest
 * goes to the loop, whose journal alone says that a control is accepted. A repeated id gets the same receipt.
 */
import { parseControl } from '../runtime/parse-control.ts';
import type { Ids } from '../runtime/ports.ts';
import { ReceiptBook } from '../runtime/receipt-book.ts';
import { idReused, QUEUE_FULL, type Refusal, RUN_OVER } from '../runtime/refusals.ts';
import type { Receipt } from '../runtime/run.ts';
import { DEFAULTS } from '../runtime/schema/config.ts';
import { type Control, controlFingerprint } from '../runtime/schema/control.ts';
import { findNotPlain } from './plain-data.ts';

/** What a desk is made with. */
export interface ControlDeskParts {
  readonly receipts: ReceiptBook;
  readonly ids: Ids;
  /** Whether the run is over. */
  readonly over: () => boolean;
  /** Sends a control to the loop. It has an id. */
  readonly forward: (control: Control, by: string | undefined) => void;
}

/** Takes the controls of one run. */
export class ControlDesk {
  readonly #parts: ControlDeskParts;
  /** What was sent under each id, but for what was refused. */
  readonly #sent = new Map<string, string>();
  /** Ids that the loop has not answered. */
  readonly #unanswered = new Set<string>();

  constructor(parts: ControlDeskParts) {
    this.#parts = parts;
  }

  /** See `Run.send`. */
  send(input: Control, by?: string): Receipt {
    const notPlain = findNotPlain(input, 'control');
    if (notPlain !== undefined)
      return this.#refused(undefined, { reason: 'invalid', message: `${notPlain.path} is ${notPlain.what}; a control is plain data.` });
    const parsed = parseControl(input);
    if (!parsed.ok) return this.#refused(parsed.id, { reason: 'invalid', message: parsed.message });
    const id = parsed.control.id ?? this.#parts.ids.next('control');
    const control = { ...parsed.control, id };
    const known = this.#sent.get(id);
    if (known !== undefined) return this.#repeated(id, known === controlFingerprint(control));
    if (this.#parts.over()) return this.#refused(id, RUN_OVER);
    if (control.type !== 'stop' && this.#unanswered.size >= DEFAULTS.queueLength) return this.#refused(id, QUEUE_FULL);
    return this.#forward(id, control, by);
  }

  /** The loop has accepted the control: it stands in the journal. */
  accepted(id: string): void {
    this.#unanswered.delete(id);
  }

  /** The loop has not accepted the control. */
  refused(id: string, reason: string, message?: string): void {
    this.#unanswered.delete(id);
    this.#sent.delete(id);
    this.#parts.receipts.refuse(id, reason, message);
  }

  #forward(id: string, control: Control, by: string | undefined): Receipt {
    const receipt = this.#parts.receipts.open(id);
    this.#sent.set(id, controlFingerprint(control));
    this.#unanswered.add(id);
    this.#parts.forward(control, by);
    return receipt;
  }

  #repeated(id: string, same: boolean): Receipt {
    const receipt = this.#parts.receipts.get(id);
    if (same && receipt !== undefined) return receipt;
    return this.#refused(id, idReused(id));
  }

  #refused(id: string | undefined, refusal: Refusal): Receipt {
    return ReceiptBook.refused(id ?? this.#parts.ids.next('control'), refusal);
  }
}
