import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../fixtures/worker/forget-to-close.ts', import.meta.url));

it('a host without a run does not keep its process up, warm threads or not', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', PROGRAM]);
  expect(stdout).toBe('finished\n');
});
