import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type CommandToolsOptions, commandTools } from '../../../src/node/command/command-tools.ts';
import { parseManifest } from '../../../src/node/manifest/load-manifest.ts';
import type { JsonObject } from '../../../src/runtime/schema/json.ts';
import { manualTimers } from '../../../src/runtime/testing/manual-timers.ts';
import type { Tool, ToolContext } from '../../../src/runtime/tools/tool.ts';
import { toToolResult } from '../../../src/runtime/tools/tool-result.ts';

const folder = mkdtempSync(join(tmpdir(), 'steerloop-tools-'));
writeFileSync(join(folder, 'notes.txt'), 'first line\nsecond line\n');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The only tool of a manifest, given as the lines of its keys. */
async function tool(lines: string, options: CommandToolsOptions = {}): Promise<Tool> {
  const indented = lines.trim().replaceAll('\n', '\n    ');
  const manifest = await parseManifest(`tools:\n  - name: probe\n    ${indented}\n`, { path: 'tools.yaml' });
  const [first] = commandTools(manifest, options);
  if (first === undefined) throw new Error('the manifest has no tool');
  return first;
}

interface Called {
  readonly text: string;
  readonly isError: boolean;
  readonly droppedBytes: number;
  readonly streamed: string;
}

/** Checks and runs a call, as a loop would; a call that is refused gives its problem. */
async function call(subject: Tool, args: JsonObject = {}, onOutput = () => {}): Promise<Called | { readonly problem: string }> {
  const checked = await subject.check(args);
  if (!checked.ok) return { problem: checked.problem };
  let streamed = '';
  const context: ToolContext = {
    signal: new AbortController().signal,
    callId: 'call_1',
    runId: 'run_1',
    emit: () => {},
    output: (text) => {
      streamed += text;
      onOutput();
    },
    child: () => {},
  };
  const result = toToolResult(await subject.execute(checked.value, context), { capBytes: subject.resultCapBytes });
  const text = result.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  return { text, isError: result.is_error, droppedBytes: result.dropped_bytes ?? 0, streamed };
}

const SEARCH = `
parameters: { type: object, properties: { pattern: { type: string }, file: { type: string, default: notes.txt } }, required: [pattern] }
command: [grep, -n, --, "{{.pattern}}", "{{.file}}"]
cwd: ${JSON.stringify(folder)}
ok_exit_codes: [0, 1]
`;

describe('A command tool', () => {
  it('is defined as its manifest says', async () => {
    const search = await tool(`description: Searches.\n${SEARCH.trim()}\neffect: read\ntimeout: 20s\nmax_output_bytes: 500`);

    expect(search.definition).toEqual({
      name: 'probe',
      description: 'Searches.',
      input_schema: {
        type: 'object',
        properties: { pattern: { type: 'string' }, file: { type: 'string', default: 'notes.txt' } },
        required: ['pattern'],
        additionalProperties: false,
      },
      effect: 'read',
      interruptible: true,
    });
    expect(search.timeoutMs).toBe(20_000);
    expect(search.resultCapBytes).toBe(500);
  });

  it('asks for confirmation where the manifest wants it and nobody skips it', async () => {
    const lines = 'command: [ls]\nconfirm: true';

    expect((await tool(lines)).definition.confirm).toBe(true);
    expect((await tool(lines, { skipConfirm: true })).definition.confirm).toBeUndefined();
    expect((await tool('command: [ls]')).definition.confirm).toBeUndefined();
  });

  it('really runs, and its result is what the program printed', async () => {
    expect(await call(await tool(SEARCH), { pattern: 'second' })).toEqual({
      text: '2:second line\n',
      isError: false,
      droppedBytes: 0,
      streamed: '2:second line\n',
    });
  });

  it('shows what it would run', async () => {
    const search = await tool(SEARCH);

    expect(search.display?.({ pattern: "it's; rm -rf /" })).toBe(`grep -n -- 'it'\\''s; rm -rf /' notes.txt`);
    expect(search.display?.({ pattern: '-e' })).toContain('parameter "pattern"');
  });

  it.each([
    ['an argument that nobody declared', { pattern: 'x', files: 'y' }, 'files'],
    ['a missing argument', {}, 'pattern'],
    ['an argument of another type', { pattern: 5 }, '/pattern'],
    ['an argument that looks like an option', { pattern: '-r' }, 'parameter "pattern"'],
    ['a NUL character', { pattern: 'a\0b' }, 'NUL'],
    ['an argument over 128 KiB', { pattern: 'x'.repeat(129 * 1_024) }, '128 KiB'],
  ])('refuses %s before anything runs', async (_, args, named) => {
    const outcome = await call(await tool(SEARCH), args);

    expect(outcome).toEqual({ problem: expect.stringContaining(named) });
  });

  it('takes an argument of 127 KiB', async () => {
    const counting = await tool(`
parameters: { type: object, properties: { text: { type: string } } }
command: [sh, -c, 'printf %s "$1" | wc -c', sh, "{{.text}}"]
`);

    expect(await call(counting, { text: 'x'.repeat(127 * 1_024) })).toMatchObject({
      text: expect.stringContaining('130048'),
      isError: false,
    });
  });

  it('gives its program the allowlist and what the manifest names, and never a key', async () => {
    const env = { PATH: process.env['PATH'], LANG: 'C', ANTHROPIC_API_KEY: 'secret', TOKEN: 'tok', OTHER: 'other' };
    const print = 'command: [sh, -c, "env | sort | grep -vE \\"^(PWD|OLDPWD|SHLVL|_)=\\""]';
    const narrow = await tool(`${print}\nenv: { TOKEN: , MODE: fast }`, { env });
    const wide = await tool(`${print}\nenv: inherit`, { env });

    expect(await call(narrow)).toMatchObject({ text: `LANG=C\nMODE=fast\nPATH=${env.PATH}\nTOKEN=tok\n` });
    expect(await call(wide)).toMatchObject({ text: `LANG=C\nOTHER=other\nPATH=${env.PATH}\nTOKEN=tok\n` });
  });
});

describe('The result of a command tool', () => {
  it.each([
    ['nothing printed', 'true', {}, '(no output)', false],
    ['nothing printed and a code that is ok', 'exit 1', {}, '(no output, exit code 1)', false],
    ['output and a code that is ok', 'echo hi; exit 1', {}, 'hi\n', false],
    ['nothing printed and another code', 'exit 3', {}, 'exit code 3\n(no output)', true],
    ['output and another code', 'echo hi; exit 3', {}, 'exit code 3\nhi\n', true],
    ['a signal', 'echo hi; kill -KILL $$', {}, 'ended by signal SIGKILL\nhi\n', true],
  ])('with %s says so', async (_, program, args, text, isError) => {
    const shellTool = await tool(`command: [sh, -c, ${JSON.stringify(program)}]\nok_exit_codes: [0, 1]`);

    expect(await call(shellTool, args)).toMatchObject({ text, isError });
  });

  it('of a program that is not there is an error that says so', async () => {
    const missing = await tool('command: [no-such-program]', { env: { PATH: '/nowhere' } });

    expect(await call(missing)).toMatchObject({
      text: 'the program "no-such-program" was not found; looked in PATH: /nowhere.',
      isError: true,
    });
  });

  it('at its timeout says so and keeps the output so far', async () => {
    const timers = manualTimers();
    const slow = await tool('command: [sh, -c, "echo hi; sleep 300"]\ntimeout: 90s', { timers });

    expect(await call(slow, {}, () => timers.fire('tool_timeout'))).toMatchObject({ text: 'timed out after 90s\nhi\n', isError: true });
  });

  it.each([1_000, 1_001, 1_002, 1_003])('stays within a cap of %d bytes, whole characters only, and counts the rest', async (cap) => {
    const flood = await tool(`command: [sh, -c, "yes \u{1f642} | head -n 100000 | tr -d '\\\\n'"]\nmax_output_bytes: ${cap}`);

    const result = await call(flood);

    if ('problem' in result) throw new Error(result.problem);
    const [shown = '', note = ''] = result.text.split('\n');
    expect(Buffer.byteLength(result.text)).toBeLessThanOrEqual(cap);
    expect(shown).toMatch(/^\u{1f642}+$/u);
    expect(note).toBe(`[${result.droppedBytes} bytes left out]`);
    expect(Buffer.byteLength(shown) + result.droppedBytes).toBe(400_000);
  });

  it('keeps its first line and its note within the cap as well', async () => {
    const failing = await tool('command: [sh, -c, "yes | head -c 1000; exit 3"]\nmax_output_bytes: 100');

    const result = await call(failing);

    if ('problem' in result) throw new Error(result.problem);
    expect(Buffer.byteLength(result.text)).toBeLessThanOrEqual(100);
    expect(result.text).toMatch(/^exit code 3\n(y\n)+y?\n\[\d+ bytes left out\]$/);
    expect(result.droppedBytes).toBeGreaterThan(900);
  });
});
