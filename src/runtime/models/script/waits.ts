/** The waits of a scripted stream: on a timer, on a promise, or for ever. Each can be given up at any time. */
import type { Timers } from '../../ports.ts';

/** Begins a wait and returns what gives it up. Calls one of the two when it is over; after it was given up that does nothing. */
export type Wait = (resume: () => void, fail: (error: unknown) => void) => () => void;

/** Waits some milliseconds. */
export function waitFor(ms: number, timers: Timers): Wait {
  return (resume) => timers.set(ms, 'script_wait', resume);
}

/** Waits until a promise settles, and fails as it does. */
export function waitUntil(promise: PromiseLike<unknown>): Wait {
  return (resume, fail) => {
    promise.then(resume, fail);
    return doNothing;
  };
}

/** Waits until it is given up. */
export const waitForEver: Wait = () => doNothing;

function doNothing(): void {}
