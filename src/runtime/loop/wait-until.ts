/** Waiting within a run: for something that a control brings about, or for a time. Everything that waits can be stopped and steered (L9). */
import type { TimerKind } from '../ports.ts';
import type { LoopContext } from './context.ts';

/** Waits until `enough` holds, looked at now and at every accepted control; until the run is cut; or until the time is over, where there is one. */
export function waitUntil(
  run: LoopContext,
  enough: () => boolean,
  time?: { readonly ms: number; readonly kind: TimerKind },
): Promise<void> {
  return new Promise((resolve) => {
    if (run.interruption.cut !== undefined || enough()) return resolve();
    const cancels: (() => void)[] = [];
    const end = (): void => {
      for (const cancel of cancels.splice(0)) cancel();
      resolve();
    };
    if (time !== undefined) cancels.push(run.timers.set(time.ms, time.kind, end));
    cancels.push(
      run.interruption.whenControl(() => enough() && end()),
      run.interruption.whenCut(end),
    );
  });
}
