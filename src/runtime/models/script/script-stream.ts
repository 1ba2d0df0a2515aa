/**
 * ScriptStream: beats as the stream of chunks that a model hands to the loop. Written by hand and not as an
 * async generator, so that a delta costs one resolved promise, and so that leaving it gives up a wait at once.
 */
import type { ModelChunk } from '../../ports.ts';
import type { Beat } from './play-step.ts';
import type { Wait } from './waits.ts';

const OVER: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** A stream of chunks. An abort ends a wait at once and fails the stream with the signal's reason; a deaf one notices nothing. */
export class ScriptStream implements AsyncIterableIterator<ModelChunk> {
  readonly #beats: Iterator<Beat, void, undefined>;
  readonly #signal: AbortSignal | undefined;
  #giveUp: (() => void) | undefined;
  #waiting: Promise<void> | undefined;

  constructor(beats: Iterator<Beat, void, undefined>, signal: AbortSignal, options: { deaf?: boolean } = {}) {
    this.#beats = beats;
    this.#signal = options.deaf ? undefined : signal;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** The next chunk. Not to be called again before it settled. */
  next(): Promise<IteratorResult<ModelChunk, undefined>> {
    if (this.#signal?.aborted) return Promise.reject(this.#signal.reason);
    let beat: IteratorResult<Beat, void>;
    try {
      beat = this.#beats.next();
    } catch (error) {
      return Promise.reject(error);
    }
    if (beat.done) return Promise.resolve(OVER);
    if (typeof beat.value === 'function') return this.#sitThrough(beat.value).then(() => this.next());
    return Promise.resolve({ done: false, value: beat.value });
  }

  /** Ends the stream: a wait is given up. A deaf stream ends only when its wait does, which may be never. */
  async return(): Promise<IteratorResult<ModelChunk, undefined>> {
    this.#beats.return?.();
    this.#giveUp?.();
    // How the wait ended is told to whoever asked for the chunk, not to whoever leaves.
    await this.#waiting?.catch(() => undefined);
    return OVER;
  }

  #sitThrough(wait: Wait): Promise<void> {
    const signal = this.#signal;
    this.#waiting = new Promise<void>((resolve, reject) => {
      const settle = (how: () => void) => {
        signal?.removeEventListener('abort', onAbort);
        this.#giveUp = undefined;
        how();
      };
      const onAbort = () => {
        cancel();
        settle(() => reject(signal?.reason));
      };
      signal?.addEventListener('abort', onAbort);
      const cancel = wait(
        () => settle(resolve),
        (error) => settle(() => reject(error)),
      );
      if (signal === undefined) return;
      this.#giveUp = () => {
        cancel();
        settle(resolve);
      };
    });
    return this.#waiting;
  }
}
