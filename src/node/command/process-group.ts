/**
 * Whole process groups: a command, and everything it started that did not leave the group. A group that is guarded does not
 * outlive this process (or thread), should that exit in the middle of a call.
 */

/** Leaders of the groups that are guarded. */
const guarded = new Set<number>();

function killGuarded(): void {
  for (const pid of guarded) signalGroup(pid, 'SIGKILL');
}

/** From here on the group is killed when this process exits. One listener serves all groups, and only while there are any. */
export function guardGroup(pid: number): void {
  if (guarded.size === 0) process.on('exit', killGuarded);
  guarded.add(pid);
}

/** The group has ended, or is somebody else's to end. */
export function releaseGroup(pid: number): void {
  if (guarded.delete(pid) && guarded.size === 0) process.off('exit', killGuarded);
}

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
