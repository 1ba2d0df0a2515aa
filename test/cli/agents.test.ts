/** Agent modules and manifests, as the command line takes them. Threads, in the test's own process. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runInProcess } from './support/in-process.ts';
import { createWorkspace } from './support/workspace.ts';

const TROUBLE = fileURLToPath(new URL('../fixtures/worker/trouble-agent.ts', import.meta.url));

/** A run of the agent whose tool is named by the prompt. */
async function runTool(name: string, ...flags: string[]) {
  const { path } = await createWorkspace();
  return { path, ...(await runInProcess(['run', '--agent', TROUBLE, '--user-prompt', name, '--record', 'own.jsonl', ...flags], path)) };
}

describe('run --agent', () => {
  it('runs the agent that a module exports, and shows what its code prints on stderr only, as inert text', async () => {
    const { code, stdout, stderr } = await runTool('print');
    expect(stdout).toBe('all is well\n');
    expect(stderr).toContain('printed 200\n');
    expect(stderr).toContain('to stderr␛[2J\n');
    expect(stderr).toContain('● finished · 2 iteration(s)');
    expect(code).toBe(0);
  });

  it.each([
    ['exit_7', [], 'crashed', 1],
    ['spin', ['--timeout', '700ms'], 'timeout', 4],
  ] as const)('tells a tool that does %s from an answer, live and in replay', async (tool, flags, reason, exitCode) => {
    const { path, ...ran } = await runTool(tool, ...flags);
    expect(ran.stderr).toContain(`  ▸ ${tool} {}\n`);
    expect(ran.stderr).toContain(`● ${reason} · 1 iteration(s)`);
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: exitCode, stdout: '' });
    expect(await runInProcess(['replay', '--path', 'own.jsonl', '--speed', '0'], path)).toEqual(ran);
  });

  it.each([
    ['a package that is not there', ['--agent', 'no-such-package-here'], 'no-such-package-here'],
    ['another model, which the agent cannot resolve', ['--agent', TROUBLE, '--model', 'openai:x'], 'openai:x'],
  ])('with %s ends with error and says why', async (_what, flags, message) => {
    const { path } = await createWorkspace();
    const { code, stderr } = await runInProcess(['run', ...flags, '--user-prompt', 'Go.', '--record', 'none'], path);
    expect(stderr).toContain('✗ error start_failed');
    expect(stderr).toContain(message);
    expect(code).toBe(1);
  });
});

it('an agent file that is not there is a wrong call: nothing is recorded', async () => {
  const { path } = await createWorkspace();
  const { code, stderr } = await runInProcess(['run', '--agent', './missing.ts', '--user-prompt', 'Go.', '--record', 'own.jsonl'], path);
  expect(stderr).toContain('missing.ts');
  expect(code).toBe(2);
  expect(existsSync(join(path, 'own.jsonl'))).toBe(false);
});

describe('tools check', () => {
  it('prints what each tool would run, and runs nothing', async () => {
    const { path, write } = await createWorkspace();
    const manifest = await write(
      't.yaml',
      'tools:\n  - { name: a, description: d, parameters: { type: object, properties: {} }, command: [touch, ran] }\n',
    );
    const { code, stdout, stderr } = await runInProcess(['tools', 'check', manifest], path);
    expect(stdout).toContain('touch ran');
    expect(stdout).toContain('PATH HOME LANG');
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });

  it('gives every mistake with its file and line, and exits with 2', async () => {
    const { path, write } = await createWorkspace();
    const manifest = await write('t.yaml', 'tools:\n  - name: a\n    description: d\n    comand: [ls]\n    parameters: { type: object }\n');
    const { code, stdout, stderr } = await runInProcess(['tools', 'check', manifest], path);
    expect(stderr).toMatch(/t\.yaml:\d+: /);
    expect(stderr).toContain('comand');
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });
});
