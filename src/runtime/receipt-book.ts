/**
 * ReceiptBook: the receipts of one run's controls. Used by whoever hands out a `Run`; what it says follows from
 * events alone, so that it is the same inline, over a thread and over a wire. Nothing in it ever rejects.
 */
import type { Refusal } from './refusals.ts';
import type { Acceptance, Receipt } from './run.ts';
import type { Fate } from './schema/control.ts';

interface Entry {
  readonly receipt: Receipt;
  readonly accept: (acceptance: Acceptance) => void;
  readonly settle: (fate: Fate) => void;
}

/** Receipts by control id. */
export class ReceiptBook {
  readonly #entries = new Map<string, Entry>();

  /** The receipt of an id that was sent before. */
  get(id: string): Receipt | undefined {
    return this.#entries.get(id)?.receipt;
  }

  /** A new open receipt. */
  open(id: string): Receipt {
    let accept: Entry['accept'] = () => {};
    let settle: Entry['settle'] = () => {};
    const receipt: Receipt = {
      id,
      accepted: new Promise((resolve) => (accept = resolve)),
      fate: new Promise((resolve) => (settle = resolve)),
    };
    this.#entries.set(id, { receipt, accept, settle });
    return receipt;
  }

  /** The control stands in the journal; or it acts, but the acceptance says why it is not kept. */
  accept(id: string, acceptance: Acceptance = { ok: true }): void {
    this.#entries.get(id)?.accept(acceptance);
  }

  /** The control was not accepted; its fate is `rejected`. The id is free again. */
  refuse(id: string, reason: string, message?: string): void {
    const entry = this.#entries.get(id);
    this.#entries.delete(id);
    entry?.accept({ ok: false, reason, ...(message !== undefined && { message }) });
    entry?.settle({ kind: 'rejected', reason });
  }

  /** What became of the control. */
  settle(id: string, fate: Fate): void {
    this.#entries.get(id)?.settle(fate);
  }

  /** The run is over or gone: what is still open was not accepted and has no fate but `rejected`. */
  closeAll(reason: string): void {
    for (const entry of this.#entries.values()) {
      entry.accept({ ok: false, reason });
      entry.settle({ kind: 'rejected', reason });
    }
  }

  /** A receipt that was refused from the beginning. */
  static refused(id: string, { reason, message }: Refusal): Receipt {
    return {
      id,
      accepted: Promise.resolve({ ok: false, reason, message }),
      fate: Promise.resolve({ kind: 'rejected', reason }),
    };
  }
}
