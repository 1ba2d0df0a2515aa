/**
 * Spinner: one line at the foot of a terminal that shows a long wait with its time. It is drawn only where a line
 * begins and is wiped before anything else is written, so it never mixes with output; its timer keeps no process alive.
 */

import { inertLine } from '../../node/inert-text.ts';
import { shortenToWidth } from './display-width.ts';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;
/** A shorter wait shows nothing. */
const LONG_WAIT_MS = 700;
const LABEL_COLUMNS = 60;
const WIPE = '\r\u001b[2K';

/** Where the time comes from. */
export interface SpinnerClock {
  /** Milliseconds, from any beginning. */
  now(): number;
  /** Calls `tick` again and again, without keeping the process alive, until the function it returns is called. */
  every(milliseconds: number, tick: () => void): () => void;
}

/** The clock of this process. */
const processClock: SpinnerClock = {
  now: () => performance.now(),
  every(milliseconds, tick) {
    const timer = setInterval(tick, milliseconds);
    timer.unref();
    return () => clearInterval(timer);
  },
};

/** Shows waits on a terminal. */
export class Spinner {
  readonly #write: (text: string) => void;
  readonly #clock: SpinnerClock;
  #label: string | undefined;
  #since = 0;
  #frame = 0;
  #drawn = false;
  #atLineStart = true;
  #cancel: (() => void) | undefined;

  /** `write` writes to the terminal as it is. */
  constructor(write: (text: string) => void, clock: SpinnerClock = processClock) {
    this.#write = write;
    this.#clock = clock;
  }

  /** Says what is waited for from now on; undefined: nothing. The same words again go on counting. */
  wait(label: string | undefined): void {
    if (label === this.#label) return;
    this.#label = label;
    this.#since = this.#clock.now();
    this.#cancel?.();
    this.#cancel = label === undefined ? undefined : this.#clock.every(FRAME_MS, () => this.#draw());
    if (label === undefined) this.#wipe();
  }

  /** Wipes the spinner before the text is written, by whoever writes it. */
  beforeWrite(text: string): void {
    this.#wipe();
    this.#atLineStart = text.endsWith('\n');
  }

  #draw(): void {
    const waited = this.#clock.now() - this.#since;
    if (this.#label === undefined || !this.#atLineStart || waited < LONG_WAIT_MS) return;
    const frame = FRAMES[this.#frame % FRAMES.length];
    this.#frame += 1;
    this.#drawn = true;
    this.#write(`${WIPE}  ${frame} ${shortenToWidth(inertLine(this.#label), LABEL_COLUMNS)} ${Math.floor(waited / 1_000)}s`);
  }

  #wipe(): void {
    if (!this.#drawn) return;
    this.#drawn = false;
    this.#write(WIPE);
  }
}
