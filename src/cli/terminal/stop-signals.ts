/** SIGINT and SIGTERM while a run goes on: the first is a request to stop, a SIGINT behind it leaves at once. */
import { SIGNAL_EXIT_CODES } from '../exit-code.ts';

/** What listens to the process. */
export interface StopSignals {
  /** Ends listening; signals do again what they do by default. */
  dispose(): void;
}

/** Calls `stop` once, at the first signal. A SIGINT that comes behind it ends the process with 130 and waits for nothing. */
export function onStopSignals(stop: (signal: 'SIGINT' | 'SIGTERM') => void): StopSignals {
  let stopping = false;
  const listener = (signal: NodeJS.Signals): void => {
    if (signal !== 'SIGINT' && signal !== 'SIGTERM') return;
    if (stopping && signal === 'SIGINT') process.exit(SIGNAL_EXIT_CODES.SIGINT);
    if (stopping) return;
    stopping = true;
    stop(signal);
  };
  process.on('SIGINT', listener);
  process.on('SIGTERM', listener);
  return {
    dispose() {
      process.off('SIGINT', listener);
      process.off('SIGTERM', listener);
    },
  };
}
