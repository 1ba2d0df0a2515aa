/**
 * SIGINT, SIGTERM and SIGHUP (the terminal is gone) while a run goes on: the first is a request to stop, a SIGINT behind it
 * leaves at once. Without a listener a hangup would end the process with its tools' process groups left alive.
 */
import { SIGNAL_EXIT_CODES } from '../exit-code.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A signal that asks a run to stop. */
export type StopRequest = (typeof SIGNALS)[number];

/** What listens to the process. */
export interface StopSignals {
  /** Ends listening; signals do again what they do by default. */
  dispose(): void;
}

/** What to do at signals. */
export interface StopSignalHandlers {
  /** Called once, at the first signal. */
  stop(signal: StopRequest): void;
  /** Called at a SIGINT behind it, right before the process ends with 130 and waits for nothing. */
  leave(): void;
}

/** Listens until it is disposed. */
export function onStopSignals({ stop, leave }: StopSignalHandlers): StopSignals {
  let stopping = false;
  const listener = (signal: StopRequest): void => {
    if (stopping && signal === 'SIGINT') {
      leave();
      process.exit(SIGNAL_EXIT_CODES.SIGINT);
    }
    if (stopping) return;
    stopping = true;
    stop(signal);
  };
  for (const signal of SIGNALS) process.on(signal, listener as NodeJS.SignalsListener);
  return {
    dispose() {
      for (const signal of SIGNALS) process.off(signal, listener as NodeJS.SignalsListener);
    },
  };
}
