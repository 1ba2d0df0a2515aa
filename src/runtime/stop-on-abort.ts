/** A caller's `AbortSignal` as a control: its abort is a `stop` now, wherever the run lives. */
import { describeError } from './errors.ts';
import type { StopControl } from './schema/control.ts';

/** Sends a `stop` that carries the signal's reason once it aborts, at once where it has already. Returns what ends the listening. */
export function stopOnAbort(signal: AbortSignal | undefined, send: (control: StopControl) => unknown): () => void {
  if (signal === undefined) return () => {};
  const stop = (): void => void send({ type: 'stop', reason: describeError(signal.reason) });
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  return () => signal.removeEventListener('abort', stop);
}
