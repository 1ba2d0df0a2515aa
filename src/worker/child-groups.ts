/**
 * ChildGroups: the process groups that a run's tools have started. They live outside the thread and would outlive it,
 * so whoever ends a run kills what is left of them first (L2).
 */

/** The process groups of one run. */
export class ChildGroups {
  readonly #alive = new Set<number>();

  /** A group has started or ended. `pid` is the group's leader. */
  note(pid: number, state: 'started' | 'exited'): void {
    // Its own group is the one thing that a run must never be able to make the host kill.
    if (pid === process.pid) return;
    if (state === 'started') this.#alive.add(pid);
    else this.#alive.delete(pid);
  }

  /** Kills every group that has not ended. Returns how many there were. */
  killAll(): number {
    const count = this.#alive.size;
    for (const pid of this.#alive) kill(pid);
    this.#alive.clear();
    return count;
  }
}

function kill(pid: number): void {
  // Where there are no process groups the child alone is what can be reached.
  const target = process.platform === 'win32' ? pid : -pid;
  try {
    process.kill(target, 'SIGKILL');
  } catch {
    // It has ended by itself, or is no longer ours.
  }
}
