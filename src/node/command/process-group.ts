/** Signals to a whole process group: the command, and everything it started that did not leave the group. */

/**
 * Sends a signal to each process of the group that `pid` leads, also after the leader itself has ended.
 * Says whether there was anybody to send it to. Never throws.
 */
export function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    // ESRCH: nobody is left. EPERM: the rest runs as another user, or (macOS) is dead and not yet collected.
    return false;
  }
}
