/** What ends a run from outside: signals and a reader of stdout that goes away. Real processes. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, startCli } from './support/cli-process.ts';
import { runInProcess } from './support/in-process.ts';
import { createWorkspace, fileAppears, recordedEvents } from './support/workspace.ts';

const TOOLS = `
tools:
  - name: wait
    description: Waits for a long time.
    parameters: { type: object, properties: {} }
    command: [sh, "-c", "touch waiting; sleep 600"]
    timeout: 1h
  - name: nothing
    description: Does nothing.
    parameters: { type: object, properties: {} }
    command: ["true"]
    effect: read
`;

/** A run whose second call waits, with its events on stdout. */
async function waitingRun() {
  const { path, script, write } = await createWorkspace();
  const model = await script([
    { text: 'I wait.', tool_calls: [{ name: 'nothing' }, { name: 'wait' }, { name: 'nothing' }] },
    { text: 'Never.' },
  ]);
  const tools = await write('tools.yaml', TOOLS);
  const words = ['run', '--model', model, '--tools', tools, '--user-prompt', 'Wait.', '--record', 'own.jsonl', '--output', 'jsonl'];
  return { path, process: startCli(words, { cwd: path }), recording: join(path, 'own.jsonl') };
}

describe('a signal', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s while a tool runs stops the run, keeps a whole recording and exits with %i, and so does replay', async (signal, code) => {
    const { path, process, recording } = await waitingRun();
    await fileAppears(path, 'waiting');
    process.kill(signal);
    const ran = await process.finished;
    expect(ran.code).toBe(code);
    expect(ran.stderr).toContain(`  » stop · ${signal}\n`);
    expect(ran.stderr).toContain('● stopped · 1 iteration(s)');

    const events = await recordedEvents(recording);
    const outcomes = events.filter((event) => event['type'] === 'tool_result').map((event) => event['outcome']);
    expect(outcomes).toEqual(['ok', 'interrupted', 'not_run']);
    expect(events.at(-1)).toMatchObject({ type: 'done', reason: 'stopped', final_content: 'I wait.' });

    const replayed = await runInProcess(['replay', '--path', 'own.jsonl', '--speed', '0', '--output', 'jsonl'], path);
    expect(replayed).toEqual({ code, stdout: ran.stdout, stderr: ran.stderr });
  });

  it('SIGINT a second time leaves at once, whatever still runs', async () => {
    const { path } = await createWorkspace();
    const agent = new URL('../fixtures/cli/deaf-agent.ts', import.meta.url).pathname;
    const process = startCli(['run', '--agent', agent, '--user-prompt', 'Wait.', '--record', 'none', '--output', 'jsonl'], { cwd: path });
    await process.printed('"type":"custom"');
    process.kill('SIGINT');
    await process.printed('» stop');
    process.kill('SIGINT');
    const { code, stderr } = await process.finished;
    expect(code).toBe(130);
    expect(stderr).toMatch(/» stop · SIGINT\n {2}! left before the run had ended\n$/);
  });
});

describe('a stdout', () => {
  it('whose reader goes away stops the run quietly, as in a pipe to head', async () => {
    const { path, script, write } = await createWorkspace();
    const model = await script([...Array.from({ length: 300 }, () => ({ tool_calls: [{ name: 'nothing' }] })), { text: 'Done.' }]);
    const tools = await write('tools.yaml', TOOLS);
    const words = ['run', '--model', model, '--tools', tools, '--user-prompt', 'Go.', '--max-iterations', '400'];
    const process = startCli([...words, '--record', 'own.jsonl', '--output', 'jsonl'], { cwd: path });
    await process.printed('"type":"run_started"');
    process.closeOutput();
    const { code, stderr } = await process.finished;
    expect(code).toBe(141);
    expect(stderr).toContain('● stopped');
    expect(stderr).not.toContain('EPIPE');
    expect((await recordedEvents(join(path, 'own.jsonl'))).at(-1)).toMatchObject({ type: 'done', reason: 'stopped' });
    expect((await runInProcess(['replay', '--path', 'own.jsonl', '--speed', '0'], path)).code).toBe(141);
  });

  it('that was never read changes nothing about a run that prints its answer only at its end', async () => {
    const { path, script } = await createWorkspace();
    const process = startCli(
      [
        'run',
        '--model',
        await script([{ text: 'one\ntwo', usage: { input_tokens: 9, output_tokens: 1 } }]),
        '--user-prompt',
        'Go.',
        '--record',
        'none',
      ],
      { cwd: path },
    );
    process.closeOutput();
    const { code, stderr } = await process.finished;
    expect(stderr).toBe('── iteration 1\none\ntwo\n\n● finished · 1 iteration(s) · 10 tokens\n');
    expect(code).toBe(0);
  });

  it.each([[['--help']], [['run', '--help']], [['--version']]])(
    'that nobody reads makes no crash of %j, as in a pipe to head',
    async (words) => {
      const process = startCli(words);
      process.closeOutput();
      const { code, stderr } = await process.finished;
      expect(stderr).toBe('');
      expect(code).toBe(0);
    },
  );

  it.skipIf(!existsSync('/dev/full'))(
    'that cannot be written for another reason is said, and is no success (needs /dev/full)',
    async () => {
      const { path, script } = await createWorkspace();
      const model = await script([{ text: 'Lost.' }]);
      const ran = await runCli(['run', '--model', model, '--user-prompt', 'Go.', '--record', 'none'], {
        cwd: path,
        stdoutPath: '/dev/full',
      });
      expect(ran.stderr).toContain('✗ error · stdout cannot be written · ENOSPC');
      expect(ran.code).toBe(1);
    },
  );
});
