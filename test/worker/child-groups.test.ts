import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { systemTimers } from '../../src/runtime/default-ports.ts';
import { manualTimers } from '../../src/runtime/testing/index.ts';
import { ChildGroups } from '../../src/worker/child-groups.ts';
import { processRuns } from '../support/process-state.ts';

/** A shell that starts a child of its own, and both wait for a minute. */
async function startGroup() {
  const leader = spawn('sh', ['-c', 'sleep 60 & echo $!; wait'], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = (await once(leader.stdout, 'data')) as [Buffer];
  return { leader, pid: leader.pid ?? 0, grandchild: Number(line.toString()) };
}

describe('the process groups of a run', () => {
  it('are killed with all that is in them', async () => {
    const { leader, pid, grandchild } = await startGroup();
    const exit = once(leader, 'exit');
    const groups = new ChildGroups(systemTimers);
    groups.note(pid, 'started');
    expect(groups.any).toBe(true);
    await groups.killAll();
    expect(await exit).toEqual([null, 'SIGKILL']);
    await expect.poll(() => processRuns(grandchild)).toBe(false);
    expect(groups.any).toBe(false);
  });

  it('are guarded by one listener for the exit of the process, and only while there are any', async () => {
    const before = process.listenerCount('exit');
    const groups = new ChildGroups(systemTimers);
    const [one, two] = [await startGroup(), await startGroup()];
    const exits = [once(one.leader, 'exit'), once(two.leader, 'exit')];
    groups.note(one.pid, 'started');
    groups.note(two.pid, 'started');
    expect(process.listenerCount('exit')).toBe(before + 1);
    groups.note(two.pid, 'exited');
    expect(process.listenerCount('exit')).toBe(before + 1);
    await groups.killAll();
    expect(process.listenerCount('exit')).toBe(before);
    process.kill(-two.pid, 'SIGKILL');
    await Promise.all(exits);
  });

  it('are left alone once they have ended, and the host’s own is never one of them', async () => {
    const groups = new ChildGroups(systemTimers);
    groups.note(process.pid, 'started');
    const { leader, pid } = await startGroup();
    groups.note(pid, 'started');
    groups.note(pid, 'exited');
    expect(groups.any).toBe(false);
    await groups.killAll();
    expect(leader.exitCode).toBeNull();
    const exit = once(leader, 'exit');
    process.kill(-pid, 'SIGTERM');
    await exit;
  });

  it('are waited for by the host’s timers, and not for ever', async () => {
    const timers = manualTimers();
    const groups = new ChildGroups(timers);
    // No leader of a group, so that the kill does not reach it.
    const deaf = spawn('sleep', ['60'], { stdio: 'ignore' });
    const exit = once(deaf, 'exit');
    groups.note(deaf.pid ?? 0, 'started');
    const killed = groups.killAll();
    for (let waits = 1; waits <= 200; waits++) {
      await timers.whenSet('grace', waits);
      timers.advance(1);
    }
    await killed;
    expect(timers.pending).toEqual([]);
    expect(deaf.exitCode).toBeNull();
    deaf.kill('SIGKILL');
    await exit;
  });
});
