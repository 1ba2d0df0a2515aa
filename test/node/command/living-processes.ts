/** Which processes of a group are alive, as the system says: zombies that nobody has collected yet do not count. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Ids of the living processes of the group that `leader` led or leads. */
export function livingInGroup(leader: number): readonly number[] {
  return processes().flatMap(({ pid, group, state }) => (group === leader && !/^[ZX]/.test(state) ? [pid] : []));
}

interface ProcessFacts {
  readonly pid: number;
  readonly group: number;
  readonly state: string;
}

function processes(): readonly ProcessFacts[] {
  return process.platform === 'linux' ? fromProc() : fromPs();
}

function fromProc(): readonly ProcessFacts[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const [state = '', , group = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return [{ pid: Number(name), group: Number(group), state }];
      } catch {
        // It ended between the listing and the look.
        return [];
      }
    });
}

function fromPs(): readonly ProcessFacts[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,pgid=,stat='], { encoding: 'utf8' }).trim().split('\n');
  return lines.map((line) => {
    const [pid, group, state = ''] = line.trim().split(/\s+/);
    return { pid: Number(pid), group: Number(group), state };
  });
}
