/**
 * LazySignal: an `AbortSignal` that is made only when somebody asks for it. Making one is most of what a quick model or tool
 * call would cost, and most never look at theirs.
 */

/** The source of one signal. */
export class LazySignal {
  #controller: AbortController | undefined;
  #aborted: { readonly reason: unknown } | undefined;

  /** The signal, always the same one; aborted already when it is asked for behind the abort. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#aborted !== undefined) this.#controller.abort(this.#aborted.reason);
    return this.#controller.signal;
  }

  /** Set once it was aborted. */
  get aborted(): { readonly reason: unknown } | undefined {
    return this.#aborted;
  }

  /** Aborts the signal, whether or not there is one yet. A later call changes nothing. */
  abort(reason: unknown): void {
    if (this.#aborted !== undefined) return;
    this.#aborted = { reason };
    this.#controller?.abort(reason);
  }
}
