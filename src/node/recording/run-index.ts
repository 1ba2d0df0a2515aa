/** What the writer of a recording remembers of one run: which line holds an event that is not kept yet, and a few places in the file to read from. */

/** Events between two remembered places. */
const EVENTS_PER_PLACE = 256;

/** Finds the durable events of one run. Memory: an entry for every 256 events, and one for each that waits to be written. */
export class RunIndex {
  readonly #places: { readonly seq: number; readonly offset: number }[] = [];
  #waiting: { readonly seq: number; readonly line: number }[] = [];
  #lastSeq = 0;
  #count = 0;

  /** Notes an event that was appended as this line, which begins at `offset` bytes; `keptLines` lines are kept by now. */
  note(seq: number, line: number, offset: number, keptLines: number): void {
    if (this.#count % EVENTS_PER_PLACE === 0) this.#places.push({ seq, offset });
    this.#count += 1;
    this.#lastSeq = Math.max(this.#lastSeq, seq);
    this.#forgetKept(keptLines);
    this.#waiting.push({ seq, line });
  }

  /** Notes that the file holds the run's events up to this one from before. */
  noteRead(seq: number): void {
    this.#lastSeq = Math.max(this.#lastSeq, seq);
  }

  /** The line to wait for before all events up to `seq` are kept: 0 when they are, undefined when that event was never seen. */
  lineToKeep(seq: number): number | undefined {
    if (seq > this.#lastSeq) return undefined;
    return this.#waiting.findLast((entry) => entry.seq <= seq)?.line ?? 0;
  }

  /** Where to begin reading to find all events from `seq` on, in bytes. */
  offsetFor(seq: number): number {
    return this.#places.findLast((place) => place.seq <= seq)?.offset ?? 0;
  }

  #forgetKept(keptLines: number): void {
    const first = this.#waiting[0];
    if (first === undefined || first.line > keptLines) return;
    this.#waiting = this.#waiting.filter((entry) => entry.line > keptLines);
  }
}
