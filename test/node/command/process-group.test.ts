import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { processRuns } from '../../support/process-state.ts';

it('a process that exits while a command runs takes the whole group of the command with it', async () => {
  const program = fileURLToPath(new URL('../../fixtures/node/exit-in-the-middle.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  expect(code).toBe(0);
  const pids = said.trim().split(' ').map(Number);
  expect(pids).toHaveLength(2);
  await expect.poll(() => pids.filter(processRuns)).toEqual([]);
});
