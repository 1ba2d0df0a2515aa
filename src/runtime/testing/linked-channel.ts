/**
 * linkedChannel: two ends in memory that behave as those of a `MessageChannel` do: copies, in order, never
 * within the call that posts. Each direction can be held, so that a test decides what has arrived when.
 */
import type { MessageChannelEnd } from '../channel-end.ts';

/** One direction of a linked channel, as a test drives it. */
export interface Lane {
  /** How many messages have been posted and not delivered. */
  readonly undelivered: number;
  /** From here on nothing is delivered, the news of a close included. */
  hold(): void;
  /** Lets the next `count` messages through and goes on holding; without `count` all of them, and holds no longer. Throws when there are fewer. */
  release(count?: number): void;
  /** Loses what is undelivered, as a thread that dies before its messages left. */
  discard(): void;
}

/** Two ends and the lanes between them. */
export interface LinkedChannel<FromLeft, FromRight> {
  readonly left: MessageChannelEnd<FromLeft, FromRight>;
  readonly right: MessageChannelEnd<FromRight, FromLeft>;
  readonly toLeft: Lane;
  readonly toRight: Lane;
}

/** Makes two linked ends. */
export function linkedChannel<FromLeft, FromRight>(): LinkedChannel<FromLeft, FromRight> {
  const toRight = new MemoryLane<FromLeft>();
  const toLeft = new MemoryLane<FromRight>();
  return { left: endOf(toRight, toLeft), right: endOf(toLeft, toRight), toLeft, toRight };
}

function endOf<Out, In>(out: MemoryLane<Out>, incoming: MemoryLane<In>): MessageChannelEnd<Out, In> {
  return {
    post: (message) => out.post(message),
    listen: (handler) => incoming.listen(handler),
    onClose: (handler) => incoming.onClose(handler),
    close() {
      // The end that closes hears nothing more; the other one hears what was on its way.
      incoming.closeAtOnce();
      out.closeBehindLast();
    },
  };
}

class MemoryLane<T> implements Lane {
  #messages: T[] = [];
  #handler: ((message: T) => void) | undefined;
  #closeHandlers: (() => void)[] = [];
  #state: 'open' | 'closing' | 'closed' = 'open';
  #held = false;
  #allowed = 0;
  #scheduled = false;

  get undelivered(): number {
    return this.#messages.length;
  }

  post(message: T): void {
    if (this.#state !== 'open') return;
    this.#messages.push(structuredClone(message));
    this.#schedule();
  }

  listen(handler: (message: T) => void): void {
    this.#handler = handler;
    this.#schedule();
  }

  onClose(handler: () => void): void {
    this.#closeHandlers.push(handler);
    this.#schedule();
  }

  hold(): void {
    this.#held = true;
    this.#allowed = 0;
  }

  release(count?: number): void {
    if (count !== undefined && this.#allowed + count > this.#messages.length) {
      throw new RangeError(`release(${count}): only ${this.#messages.length - this.#allowed} message(s) are held`);
    }
    if (count === undefined) this.#held = false;
    else this.#allowed += count;
    this.#schedule();
  }

  discard(): void {
    this.#messages = [];
    this.#allowed = 0;
    this.#schedule();
  }

  closeBehindLast(): void {
    if (this.#state === 'open') this.#state = 'closing';
    this.#schedule();
  }

  closeAtOnce(): void {
    if (this.#state === 'closed') return;
    this.#messages = [];
    this.#held = false;
    this.closeBehindLast();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      this.#step();
    });
  }

  /** One message a microtask, so that what its handler does comes before the next. */
  #step(): void {
    if (this.#messages.length === 0) {
      this.#finish();
      return;
    }
    if (this.#handler === undefined || (this.#held && this.#allowed === 0)) return;
    if (this.#held) this.#allowed -= 1;
    const [message] = this.#messages.splice(0, 1);
    this.#schedule();
    this.#handler(message as T);
  }

  #finish(): void {
    if (this.#state === 'open' || this.#held) return;
    this.#state = 'closed';
    for (const handler of this.#closeHandlers.splice(0)) handler();
  }
}
