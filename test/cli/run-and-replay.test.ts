/** The main way through: run, look at the recording, replay. The demo in processes of its own, the rest within this one. */
import { cp, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, runCli, startCli } from './support/cli-process.ts';
import { runInProcess } from './support/in-process.ts';
import { SampleRun } from './support/sample-events.ts';
import { transcript } from './support/transcript.ts';
import { createWorkspace, recordedEvents, type Workspace } from './support/workspace.ts';

const DEMO = [
  'run',
  '--model',
  'script:demo.script.json',
  '--tools',
  'demo.tools.yaml',
  '--user-prompt',
  'Where is FINISH_TOOL_NAME defined?',
];

async function demoWorkspace(searched: string): Promise<Workspace> {
  const workspace = await createWorkspace();
  for (const name of ['demo.script.json', 'demo.tools.yaml']) await cp(join(ROOT, 'examples', name), join(workspace.path, name));
  await workspace.write('searched.ts', searched);
  return workspace;
}

describe('run', () => {
  it('answers with what a real tool found, records it, and replay prints the same', async () => {
    const { path, recordings } = await demoWorkspace("\n\nexport const FINISH_TOOL_NAME = 'finish';\n");
    const ran = await runCli(DEMO, { cwd: path });
    await expect(transcript(ran).replace(/\d+ tokens/, '<count> tokens')).toMatchFileSnapshot('transcripts/run-demo.txt');

    const [recording = ''] = await recordings();
    expect((await stat(recording)).mode & 0o777).toBe(0o600);
    expect(ran.stderr).toContain(`\nrecorded to ${recording}\n`);

    const replayed = await runCli(['replay', '--path', recording, '--speed', '0'], { cwd: path });
    expect(replayed).toEqual(ran);
  });

  it('answers otherwise when the file is another', async () => {
    const { path } = await demoWorkspace("export const FINISH_TOOL_NAME = 'done';\n");
    const { code, stdout } = await runCli([...DEMO, '--record', 'none'], { cwd: path });
    expect(stdout).toContain("./searched.ts:1:export const FINISH_TOOL_NAME = 'done';");
    expect(code).toBe(0);
  });

  it('prints the outcome as one object with --output json, and so does replay', async () => {
    const { path, script } = await createWorkspace();
    const model = await script([{ text: 'Yes.', usage: { input_tokens: 3, output_tokens: 1 } }]);
    const ran = await runInProcess(['run', '--model', model, '--user-prompt', 'Yes?', '--record', 'own.jsonl', '--output', 'json'], path);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      reason: 'finished',
      final_content: 'Yes.',
      usage: { input_tokens: 3, output_tokens: 1 },
      cost_usd: null,
      iterations: 1,
      exit_code: 0,
      recording: join(path, 'own.jsonl'),
    });
    expect(ran.stderr).toContain('● finished');
    expect(await runInProcess(['replay', '--path', 'own.jsonl', '--speed', '0', '--output', 'json'], path)).toEqual(ran);
  });

  it('prints the recording, but for its first line, with --output jsonl, and so does replay', async () => {
    const { path, script } = await createWorkspace();
    const model = await script([{ text: 'A streamed reply.', chunk: 3 }]);
    const ran = await runInProcess(['run', '--model', model, '--user-prompt', 'hi', '--record', 'own.jsonl', '--output', 'jsonl'], path);
    const [header = '', ...lines] = (await readFile(join(path, 'own.jsonl'), 'utf8')).split('\n');
    expect(JSON.parse(header)).toMatchObject({ type: 'recording', version: 1 });
    expect(ran.stdout).toBe(lines.join('\n'));
    expect(await runInProcess(['replay', '--path', 'own.jsonl', '--speed', '0', '--output', 'jsonl'], path)).toEqual(ran);
  });

  it('appends to a recording that is there, and replay takes the last run or the one it is told', async () => {
    const { path, script } = await createWorkspace();
    const words = (model: string) => ['run', '--model', model, '--user-prompt', 'hi', '--record', 'both.jsonl'];
    const first = await runInProcess(words(await script([{ text: 'one' }], 'one.json')), path);
    const second = await runInProcess(words(await script([{ text: 'two' }], 'two.json')), path);
    const [started] = await recordedEvents(join(path, 'both.jsonl'));
    const replay = ['replay', '--path', 'both.jsonl', '--speed', '0'];
    expect(await runInProcess(replay, path)).toEqual(second);
    expect(await runInProcess([...replay, '--run', String(started?.['run_id'])], path)).toEqual(first);
    const unknown = await runInProcess([...replay, '--run', 'run_x'], path);
    expect(unknown.stderr).toContain('holds no run run_x');
    expect(unknown.code).toBe(2);
  });
});

describe('replay', () => {
  it('shows a recording without an end as far as it goes, says that it is incomplete, and exits with 1', async () => {
    const { path, script } = await createWorkspace();
    await runInProcess(['run', '--model', await script([{ text: 'Yes.' }]), '--user-prompt', 'hi', '--record', 'own.jsonl'], path);
    const whole = await readFile(join(path, 'own.jsonl'));
    await truncate(join(path, 'own.jsonl'), whole.lastIndexOf('{"type":"done"') + 40);
    const { code, stdout, stderr } = await runInProcess(['replay', '--path', 'own.jsonl', '--speed', '0'], path);
    expect(stderr).toMatch(/^! line \d+ is cut/);
    expect(stderr).toContain('── iteration 1\nYes.\n');
    expect(stderr).toContain('✗ error recording_incomplete · ');
    expect(stdout).toBe('');
    expect(code).toBe(1);
  });

  it('goes on behind a line that it cannot read, and says which', async () => {
    const { path, script } = await createWorkspace();
    const ran = await runInProcess(
      ['run', '--model', await script([{ text: 'Yes.' }]), '--user-prompt', 'hi', '--record', 'own.jsonl'],
      path,
    );
    const [header, ...lines] = (await readFile(join(path, 'own.jsonl'), 'utf8')).split('\n');
    await writeFile(join(path, 'own.jsonl'), [header, '{"type":"run_st\u001b[2J', ...lines].join('\n'));
    const { code, stdout, stderr } = await runInProcess(['replay', '--path', 'own.jsonl', '--speed', '0'], path);
    expect(stderr).toBe(`! line 2 is no whole JSON object\n${ran.stderr}`);
    expect(stdout).toBe(ran.stdout);
    expect(code).toBe(0);
  });

  it('waits between events no longer than it is told', async () => {
    const { path, write } = await createWorkspace();
    const { events } = new SampleRun().start().iteration().turn('Yes.').done({ final_content: 'Yes.' });
    const anHourEach = events.map((event, index) => ({ ...event, time: event.time + index * 3_600_000 }));
    const header = { type: 'recording', version: 1, steerloop: '0', kind: 'run', time: 0 };
    await write('slow.jsonl', [header, ...anHourEach].map((line) => `${JSON.stringify(line)}\n`).join(''));
    for (const flags of [
      ['--max-wait', '1ms'],
      ['--max-wait', '0s'],
      ['--speed', '100000000'],
      ['--speed', '0'],
    ]) {
      const { code, stdout } = await runInProcess(['replay', '--path', 'slow.jsonl', ...flags], path);
      expect({ code, stdout }).toEqual({ code: 0, stdout: 'Yes.\n' });
    }
  });

  it('ends quietly with 141 when nobody reads its stdout any more', async () => {
    const { path, write } = await createWorkspace();
    const run = new SampleRun().start();
    for (let count = 0; count < 2_000; count += 1) run.iteration().turn('text '.repeat(20));
    const header = { type: 'recording', version: 1, steerloop: '0', kind: 'run', time: 0 };
    await write('long.jsonl', [header, ...run.done().events].map((line) => `${JSON.stringify(line)}\n`).join(''));
    const process = startCli(['replay', '--path', 'long.jsonl', '--output', 'jsonl', '--speed', '0'], { cwd: path });
    await process.printed('"type":"run_started"');
    process.closeOutput();
    const { code, stderr } = await process.finished;
    expect(code).toBe(141);
    expect(stderr).not.toContain('EPIPE');
  });
});
