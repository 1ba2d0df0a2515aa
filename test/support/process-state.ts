/** Whether a process runs. One that has ended and only waits to be taken from the process table does not. */
import { readFileSync } from 'node:fs';

/** Looks a process up by its pid (Linux: in /proc; elsewhere one that has ended and was not waited for counts as running). */
export function processRuns(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== 'linux') return true;
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
