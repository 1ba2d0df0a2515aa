/**
 * ChildGroups: the process groups that a run's tools have started. They live outside the thread and would outlive it,
 * so whoever ends a run kills what is left of them first (L2), and a host that exits in the middle of a run does so on its
 * way out. A child whose thread is gone has nobody to wait for it: it stays in the process table, ended, until the host's
 * process ends.
 */
import { readFileSync } from 'node:fs';
import { guardGroup, releaseGroup } from '../node/command/process-group.ts';
import type { Timers } from '../runtime/ports.ts';

/** How long a killed group may take to be gone before nobody waits for it any more, in milliseconds. */
const LONGEST_DEATH_MS = 200;

/** The process groups of one run. */
export class ChildGroups {
  readonly #timers: Timers;
  readonly #alive = new Set<number>();

  /** `timers` measure how long a killed group takes, by timers of the kind `grace`. */
  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Whether there are groups that have not ended. */
  get any(): boolean {
    return this.#alive.size > 0;
  }

  /** A group has started or ended. `pid` is the group's leader. */
  note(pid: number, state: 'started' | 'exited'): void {
    // Its own group is the one thing that a run must never be able to make the host kill.
    if (pid === process.pid) return;
    if (state === 'started') {
      this.#alive.add(pid);
      guardGroup(pid);
    } else if (this.#alive.delete(pid)) releaseGroup(pid);
  }

  /** Kills every group that has not ended, and resolves when they are gone. Never rejects. */
  async killAll(): Promise<void> {
    const pids = [...this.#alive];
    this.#alive.clear();
    for (const pid of pids) {
      kill(pid);
      releaseGroup(pid);
    }
    for (let waited = 0; pids.some(runs) && waited < LONGEST_DEATH_MS; waited++) await this.#aMillisecond();
  }

  #aMillisecond(): Promise<void> {
    return new Promise((resolve) => this.#timers.set(1, 'grace', resolve));
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

/** Whether a process still runs; one that only waits to be taken from the process table does not. */
function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== 'linux') return true;
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !'ZX'.includes(stat.charAt(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}
