/** What a person sees: real pseudo terminals, colours, the spinner, and text that must stay inert. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SHARED_FOLDER, sharedPath } from '../support/shared-inputs.ts';
import { runCli } from './support/cli-process.ts';
import { runInProcess } from './support/in-process.ts';
import { HAS_PTY, PTY_SKIPPED, runOnTerminal } from './support/pty.ts';
import { createWorkspace } from './support/workspace.ts';

if (!HAS_PTY) console.warn('There is no `script` of util-linux: terminals are not tested.');

const USAGE = { input_tokens: 9, output_tokens: 1 };
const ESC = '\u001b';
const WIPE = `\r${ESC}[2K`;
const COLOUR = new RegExp(`${ESC}\\[(?:1|2|22|31|32|33|36|39)m`, 'g');
const SPINNER = new RegExp(`\r${ESC}\\[2K(?: {2}[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] [^\n\r${ESC}]* \\d+s)?`, 'g');

/** What is left on a terminal when the command's own styling and spinner are taken away. */
const plain = (screen: string) => screen.replace(SPINNER, '').replace(COLOUR, '');

async function simpleRun() {
  const workspace = await createWorkspace();
  const model = await workspace.script([{ text: 'The answer\nis yes.', chunk: 4, usage: USAGE }]);
  return { ...workspace, words: ['run', '--model', model, '--user-prompt', 'Well?', '--record', 'own.jsonl'] };
}

const SHOWN = (path: string) =>
  `── iteration 1\nThe answer\nis yes.\n\n● finished · 1 iteration(s) · 10 tokens\n\nrecorded to ${path}/own.jsonl\n`;

describe.skipIf(!HAS_PTY)(`on one terminal${PTY_SKIPPED}`, () => {
  it('the answer is not shown twice, and the marks are coloured', async () => {
    const { path, words } = await simpleRun();
    const { code, screen } = await runOnTerminal(words, { cwd: path });
    expect(plain(screen)).toBe(SHOWN(path));
    expect(screen).toContain('\u001b[32m● finished\u001b[39m');
    expect(code).toBe(0);
  });

  it('an answer that has not streamed is shown, here the result of the finish tool', async () => {
    const { path, script } = await createWorkspace();
    const model = await script([{ text: 'Done.', tool_calls: [{ name: 'finish', arguments: { result: 'The result.' } }], usage: USAGE }]);
    const words = ['run', '--model', model, '--user-prompt', 'Go.', '--record', 'none', '--stop-on', 'finish-tool'];
    const { screen } = await runOnTerminal(words, { cwd: path });
    expect(plain(screen)).toMatch(/✓ finish .*\nThe result\.\n\n● finished/);
  });

  it('NO_COLOR leaves no colour, nor does --no-color', async () => {
    const { path, words } = await simpleRun();
    const { screen } = await runOnTerminal(words, { cwd: path, env: { NO_COLOR: '1' } });
    expect(screen.replace(SPINNER, '')).toBe(SHOWN(path));
    const replay = ['replay', '--path', 'own.jsonl', '--speed', '0', '--no-color'];
    expect((await runOnTerminal(replay, { cwd: path })).screen).toBe(SHOWN(path));
  });

  it('a long wait shows a spinner with its time, and leaves nothing of it behind', async () => {
    const { path, script } = await createWorkspace();
    const model = await script([{ text: 'At last.', delay_ms: 1_300, usage: USAGE }]);
    const { screen } = await runOnTerminal(['run', '--model', model, '--user-prompt', 'Well?', '--record', 'none'], { cwd: path });
    expect(screen).toMatch(/⠋ waiting for the model \d+s/);
    expect(screen.slice(0, screen.indexOf('At last.')).endsWith(WIPE)).toBe(true);
    expect(plain(screen)).toBe('── iteration 1\nAt last.\n\n● finished · 1 iteration(s) · 10 tokens\n');
  });

  it('a dumb terminal, which cannot wipe a line, gets neither colours nor a spinner', async () => {
    const { path, script } = await createWorkspace();
    const model = await script([{ text: 'At last.', delay_ms: 1_000, usage: USAGE }]);
    const words = ['run', '--model', model, '--user-prompt', 'Well?', '--record', 'none'];
    const { screen } = await runOnTerminal(words, { cwd: path, env: { TERM: 'dumb' } });
    expect(screen).toBe('── iteration 1\nAt last.\n\n● finished · 1 iteration(s) · 10 tokens\n');
  });

  it('an answer that goes into a file is in the file, and its stream on the terminal', async () => {
    const { path, words } = await simpleRun();
    const { screen } = await runOnTerminal(words, { cwd: path, redirect: '> answer.txt' });
    expect(plain(screen)).toBe(SHOWN(path));
    expect(await readFile(join(path, 'answer.txt'), 'utf8')).toBe('The answer\nis yes.\n');
  });

  it('a trace that goes into a file has neither colours nor a spinner, and the answer stays on the terminal', async () => {
    const { path, script } = await createWorkspace();
    const model = await script([{ text: 'At last.', delay_ms: 1_000, usage: USAGE }]);
    const words = ['run', '--model', model, '--user-prompt', 'Well?', '--record', 'none'];
    const { screen } = await runOnTerminal(words, { cwd: path, redirect: '2> trace.txt' });
    expect(screen).toBe('At last.\n');
    expect(await readFile(join(path, 'trace.txt'), 'utf8')).toBe('── iteration 1\nAt last.\n\n● finished · 1 iteration(s) · 10 tokens\n');
  });
});

describe('escape sequences from a tool and a model', () => {
  const OWN_PAYLOAD = 'x\u001b]52;c;cm0=\u0007\u001b[2J\u001b[10A\u009b6n\u001bPq\u001b\\visible\rHIDDEN\b\b\u202eend\u001b]0;never ended';

  async function evilRun() {
    const { path, script, write } = await createWorkspace();
    const payload = SHARED_FOLDER === undefined ? OWN_PAYLOAD : OWN_PAYLOAD + (await sharedPayload());
    await write('payload', payload);
    await write(
      'tools.yaml',
      'tools:\n  - { name: show, description: Shows it., parameters: { type: object, properties: {} }, command: [cat, payload] }\n',
    );
    const model = await script([
      { text: payload, chunk: 1, tool_calls: [{ name: 'show' }, { name: 'no\u001b[2Jsuch', arguments: { [payload]: payload } }] },
      { text: payload, chunk: 1 },
    ]);
    const words = ['run', '--model', model, '--tools', 'tools.yaml', '--user-prompt', 'Go.', '--record', 'own.jsonl'];
    return { path, payload, words };
  }

  const sharedPayload = async () => Buffer.from(await readFile(sharedPath('cases', 'K1-payload.b64'), 'latin1'), 'base64').toString('utf8');
  const ALIVE = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/u;

  it('stay inert in a pipe, in the outcome and in the events; the recording keeps what was said', async () => {
    const { path, payload, words } = await evilRun();
    const text = await runCli(words, { cwd: path });
    const json = await runInProcess(['replay', '--path', 'own.jsonl', '--speed', '0', '--output', 'json'], path);
    const jsonl = await runInProcess(['replay', '--path', 'own.jsonl', '--speed', '0', '--output', 'jsonl'], path);
    for (const { code, stdout, stderr } of [text, json, jsonl]) {
      expect((stdout + stderr).replaceAll('\n', '')).not.toMatch(ALIVE);
      expect(code).toBe(0);
    }
    expect(text.stdout).toContain('␛]52;c;cm0=␇␛[2J');
    expect(JSON.parse(json.stdout)).toMatchObject({ final_content: payload });
  });

  it.skipIf(!HAS_PTY)(`stay inert on a terminal, live and replayed${PTY_SKIPPED}`, async () => {
    const { path, words } = await evilRun();
    const live = await runOnTerminal(words, { cwd: path });
    const replayed = await runOnTerminal(['replay', '--path', 'own.jsonl', '--speed', '0'], { cwd: path });
    expect(plain(live.screen).replaceAll('\n', '')).not.toMatch(ALIVE);
    expect(plain(live.screen)).toContain('␛]0;never ended');
    expect(plain(replayed.screen)).toBe(plain(live.screen));
  });
});
