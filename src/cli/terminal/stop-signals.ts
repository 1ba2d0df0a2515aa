/** SIGINT and SIGTERM while a run goes on: the first is a request to stop, a SIGINT behind it leaves at once. */
import { SIGNAL_EXIT_CODES } from '../exit-code.ts';

/** What listens to the process. */
export interface StopSignals {
  /** Ends listening; signals do again what they do by default. */
  dispose(): void;
}

/** What to do at signals. */
export interface StopSignalHandlers {
  /** Called once, at the first signal. */
  stop(signal: 'SIGINT' | 'SIGTERM'): void;
  /** Called at a SIGINT behind it, right before the process ends with 130 and waits for nothing. */
  leave(): void;
}

/** Listens to SIGINT and SIGTERM until it is disposed. */
export function onStopSignals({ stop, leave }: StopSignalHandlers): StopSignals {
  let stopping = false;
  const listener = (signal: NodeJS.Signals): void => {
    if (signal !== 'SIGINT' && signal !== 'SIGTERM') return;
    if (stopping && signal === 'SIGINT') {
      leave();
      process.exit(SIGNAL_EXIT_CODES.SIGINT);
    }
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
