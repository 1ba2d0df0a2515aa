/** What threads print, where nobody takes it: on the host's stderr, as inert text. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const MODULE = new URL('../../src/worker/thread-output.ts', import.meta.url).href;

it('what a thread prints comes to stderr with nothing in it that moves a cursor or turns a line around', async () => {
  const text = JSON.stringify('one\ttwo\n\u001b[2Jthree \u202efour \ud800');
  const program = `import { writeToStderr } from ${JSON.stringify(MODULE)}; writeToStderr({ runId: undefined, stream: 'stdout', text: ${text} });`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program]);
  expect(stdout).toBe('');
  expect(stderr).toBe('one\ttwo\n␛[2Jthree \\u202efour \ufffd');
});
