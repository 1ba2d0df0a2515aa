/** The command on a real terminal: `script` of util-linux gives it a pseudo terminal and copies what is written there. */
import { spawn, spawnSync } from 'node:child_process';
import { COMMAND } from './cli-process.ts';

const PROGRAM = 'script';

/** Whether there is a `script` that can do it. */
export const HAS_PTY = /util-linux/.test(spawnSync(PROGRAM, ['--version'], { encoding: 'utf8' }).stdout ?? '');

/** Why terminal tests are skipped, for their titles; '' where they are not. */
export const PTY_SKIPPED = HAS_PTY ? '' : ' (skipped: there is no `script` of util-linux)';

/** Runs the command with all three streams on one terminal; `redirect` is added to its command line, as in a shell. */
export async function runOnTerminal(
  words: readonly string[],
  options: { cwd: string; env?: Readonly<Record<string, string>>; redirect?: string },
): Promise<{ code: number | null; screen: string }> {
  const command = [process.execPath, ...COMMAND, ...words].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  const child = spawn(PROGRAM, ['-qec', `${command} ${options.redirect ?? ''}`, '/dev/null'], {
    cwd: options.cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: options.cwd, TERM: 'xterm', SHELL: '/bin/sh', ...options.env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let screen = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (screen += text));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  child.stdin.destroy();
  // A terminal writes a line end as two characters.
  return { code, screen: screen.replaceAll('\r\n', '\n') };
}
