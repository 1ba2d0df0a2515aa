import { execFileSync } from 'node:child_process';
import { getEventListeners } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { manualTimers } from '../../../src/runtime/testing/manual-timers.ts';
import { shell, start } from './command-rig.ts';
import { livingInGroup } from './living-processes.ts';

const folder = mkdtempSync(join(tmpdir(), 'steerloop-command-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const onLinux = process.platform === 'linux';

/** A program waits here, by reading a line, until the test lets it go on. A gate opens once. */
let gates = 0;
function makeGate(): string {
  gates += 1;
  const path = join(folder, `gate-${gates}`);
  execFileSync('mkfifo', [path]);
  return path;
}

/** Lets the program go on that waits at a gate, or comes to it. */
async function open(gate: string): Promise<void> {
  await writeFile(gate, 'go\n');
}

describe('A command that ends by itself', () => {
  it('gives its exit code and what it printed, streamed and whole', async () => {
    const command = start(shell('echo one; echo two >&2; echo three; exit 4'));

    const { end, output } = await command.run;

    expect(end).toEqual({ how: 'exited', code: 4 });
    expect(output.droppedBytes).toBe(0);
    expect(output.text.split('\n').sort()).toEqual(['', 'one', 'three', 'two']);
    expect(command.streamed).toBe(output.text);
  });

  it('shows stdout and stderr as one text in the order in which they arrive', async () => {
    const [first, second] = [makeGate(), makeGate()];
    const program = 'echo out; read -r line < "$1"; echo err >&2; read -r line < "$2"; echo out again';
    const command = start(shell(program, first, second));

    await command.printed('out\n');
    await open(first);
    await command.printed('err\n');
    await open(second);

    expect((await command.run).output.text).toBe('out\nerr\nout again\n');
  });

  it('names the signal that ended it', async () => {
    const { end } = await start(shell('kill -SEGV $$')).run;

    expect(end).toEqual({ how: 'killed', signal: 'SIGSEGV' });
  });

  it('finds its stdin closed', async () => {
    const { end, output } = await start(['cat']).run;

    expect(end).toEqual({ how: 'exited', code: 0 });
    expect(output.text).toBe('');
  });

  it('gets exactly the environment and the directory it was given', async () => {
    const { output } = await start(shell('pwd; env | sort'), { cwd: '/', env: { PATH: '/usr/bin:/bin', FLAVOUR: 'a b' } }).run;

    const lines = output.text.split('\n').filter((line) => !/^(PWD|OLDPWD|SHLVL|_)=/.test(line));
    expect(lines).toEqual(['/', 'FLAVOUR=a b', 'PATH=/usr/bin:/bin', '']);
  });

  it('gets each argument as one text, whatever a shell would make of it', async () => {
    const args = ['; rm -rf /', '$(id) `id` $HOME', 'a  b', "it's", '"', 'line\nbreak', '*', '', '\u{1f642} ü', '\\'];

    const { output } = await start(shell('for a in "$@"; do printf "%s|" "$a"; done', ...args)).run;

    expect(output.text).toBe(args.map((arg) => `${arg}|`).join(''));
  });

  it('reports its process group as started and as exited', async () => {
    const command = start(['true']);
    await command.run;

    const [[leader] = [0]] = command.group;
    expect(leader).toBeGreaterThan(0);
    expect(command.group).toEqual([
      [leader, 'started'],
      [leader, 'exited'],
    ]);
  });
});

describe('A command that leaves something in the background', () => {
  it('is over when the program is, and what it left is dead', async () => {
    const command = start(shell('sleep 300 & echo hi; exit 0'));

    const { end, output } = await command.run;

    expect(end).toEqual({ how: 'exited', code: 0 });
    expect(output.text).toBe('hi\n');
    await command.expectDead();
  });

  it('leaves nothing alive either where the background process closed its pipes', async () => {
    const command = start(shell('sleep 300 >/dev/null 2>&1 & echo hi'));

    await command.run;

    await command.expectDead();
  });

  it('still shows what the background prints right behind the end', async () => {
    const timers = manualTimers();
    const gate = makeGate();
    const command = start(shell('(read -r line < "$1"; echo late) & echo early', gate), { timers });

    await command.printed('early');
    await timers.whenSet('grace');
    await open(gate);

    expect((await command.run).output.text).toBe('early\nlate\n');
    await command.expectDead();
  });

  it.skipIf(!onLinux)('is not held up by a process that left the group and holds its pipes (setsid is there on Linux only)', async () => {
    const openPipes = (): number => process.getActiveResourcesInfo().filter((type) => type === 'PipeWrap').length;
    const before = openPipes();
    const timers = manualTimers();
    const command = start(shell(`setsid sh -c 'echo "pid $$"; exec sleep 300' &`), { timers });
    await command.printed('\n');
    const escaped = Number(command.streamed.replace('pid ', ''));
    try {
      await timers.whenSet('grace', 1);
      timers.fire('grace');
      await timers.whenSet('grace', 2);
      timers.fire('grace');

      expect((await command.run).end).toEqual({ how: 'exited', code: 0 });
      await command.expectDead();
      await expect.poll(openPipes).toBe(before);
    } finally {
      process.kill(escaped, 'SIGKILL');
      await expect.poll(() => livingInGroup(escaped)).toEqual([]);
    }
  });
});

const shared = process.env['STEERLOOP_SHARED'];
if (shared === undefined) console.warn('STEERLOOP_SHARED is not set: the shared case O1 is skipped.');

describe.skipIf(shared === undefined)('The shared case O1 (needs STEERLOOP_SHARED)', () => {
  const hold = join(shared ?? '', 'cases/O1-tools/hold.sh');

  it('is over at the exit of the program, with its output', async () => {
    const command = start(['sh', hold, 'exit'], { timeoutMs: 1_000 });

    expect(await command.run).toEqual({ end: { how: 'exited', code: 0 }, output: { text: 'hi\n', droppedBytes: 0 } });
    await command.expectDead();
  });

  it('is over at the limit where the program waits, with the output so far', async () => {
    const timers = manualTimers();
    const command = start(['sh', hold, 'wait'], { timers, timeoutMs: 1_000 });
    await command.printed('hi');

    timers.fire('tool_timeout');

    expect(await command.run).toEqual({ end: { how: 'timeout' }, output: { text: 'hi\n', droppedBytes: 0 } });
    await command.expectDead();
  });
});

describe('A command that is ended', () => {
  it('at its timeout keeps the output so far, and its whole group dies', async () => {
    const timers = manualTimers();
    const command = start(shell('sleep 300 & echo hi; wait'), { timers, timeoutMs: 1_000 });

    await command.printed('hi');
    expect(timers.pending).toMatchObject([{ kind: 'tool_timeout', ms: 1_000 }]);
    timers.fire('tool_timeout');

    const { end, output } = await command.run;
    expect(end).toEqual({ how: 'timeout' });
    expect(output.text).toBe('hi\n');
    await command.expectDead();
  });

  it('by an abort gives the reason, and its whole group dies', async () => {
    const command = start(shell('sleep 300 & echo hi; wait'));

    await command.printed('hi');
    command.abort('the user went home');

    expect((await command.run).end).toEqual({ how: 'aborted', reason: 'the user went home' });
    await command.expectDead();
  });

  it('may put things right and say so before it goes', async () => {
    const command = start(shell('trap "echo tidied up; exit 0" TERM; echo hi; sleep 300 & wait'));

    await command.printed('hi');
    command.abort('enough');

    const { end, output } = await command.run;
    expect(end.how).toBe('aborted');
    expect(output.text).toBe('hi\ntidied up\n');
    await command.expectDead();
  });

  it('is killed when it does not listen', async () => {
    const timers = manualTimers();
    const command = start(shell('trap "" TERM; echo hi; sleep 300 & wait; wait'), { timers });

    await command.printed('hi');
    command.abort('enough');
    await timers.whenSet('grace');
    timers.fire('grace');

    expect((await command.run).end.how).toBe('aborted');
    await command.expectDead();
  });

  it('never starts when it was aborted before', async () => {
    const marker = join(folder, 'never');

    const command = start(['touch', marker], { abortedWith: 'no need' });

    expect(await command.run).toEqual({ end: { how: 'aborted', reason: 'no need' }, output: { text: '', droppedBytes: 0 } });
    expect(command.group).toEqual([]);
    expect(existsSync(marker)).toBe(false);
  });

  it('leaves no timer and no listener behind', async () => {
    const timers = manualTimers();
    const command = start(['true'], { timers });

    await command.run;

    expect(timers.pending).toEqual([]);
    expect(getEventListeners(command.signal, 'abort')).toEqual([]);
  });
});

describe('A command that cannot start', () => {
  const notStarted = async (argv: readonly string[], cwd?: string): Promise<string> => {
    const { end } = await start(argv, { env: { PATH: '/usr/bin:/nowhere' }, ...(cwd !== undefined && { cwd }) }).run;
    return end.how === 'not_started' ? end.problem : `it ended otherwise: ${end.how}`;
  };

  it('says that the program was not found, and where it was looked for', async () => {
    expect(await notStarted(['no-such-program'])).toBe('the program "no-such-program" was not found; looked in PATH: /usr/bin:/nowhere.');
    expect(await notStarted(['./no-such-program'])).toBe(
      'the program "./no-such-program", or the interpreter that its first line names, was not found.',
    );
  });

  it('says that the program may not be run', async () => {
    const file = join(folder, 'not-executable');
    writeFileSync(file, '#!/bin/sh\n', { mode: 0o644 });

    expect(await notStarted([file])).toBe(`the program "${file}" may not be run: permission denied.`);
  });

  it('says that its directory is missing, or is none', async () => {
    const file = join(folder, 'a-file');
    writeFileSync(file, '');

    expect(await notStarted(['true'], join(folder, 'missing'))).toContain(`its cwd ${join(folder, 'missing')} cannot be used`);
    expect(await notStarted(['true'], file)).toContain(`its cwd ${file} is no directory`);
  });

  it('says so where spawn itself throws: for a NUL character and for too long arguments', async () => {
    expect(await notStarted(['true', 'a\0b'])).toContain('null bytes');
    expect(await notStarted(['true', 'x'.repeat(129 * 1_024)])).toContain('128 KiB for one and 2 MiB for all');
    expect(await notStarted(['true', ...Array.from({ length: 30 }, () => 'x'.repeat(100_000))])).toContain('3000035 bytes');
  });
});
