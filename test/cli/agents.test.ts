/** Agent modules and manifests, as the command line takes them. Threads, in the test's own process. */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runInProcess } from './support/in-process.ts';
import { createWorkspace } from './support/workspace.ts';

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/cli/${name}.ts`, import.meta.url));

describe('run --agent', () => {
  it('runs the agent that a module exports, and shows what its code prints on stderr only, as inert text', async () => {
    const { path } = await createWorkspace();
    const words = ['run', '--agent', fixture('talking-agent'), '--user-prompt', 'Go.', '--record', 'none'];
    const { code, stdout, stderr } = await runInProcess(words, path);
    expect(stdout).toBe('All is well.\n');
    expect(stderr).toContain('printed by a tool ␛[2J\n');
    expect(stderr).toContain('● finished · 2 iteration(s)');
    expect(code).toBe(0);
  });

  it('tells which module could not be loaded, in a run that ends with error', async () => {
    const { path } = await createWorkspace();
    const { code, stderr } = await runInProcess(['run', '--agent', './missing.ts', '--user-prompt', 'Go.', '--record', 'none'], path);
    expect(stderr).toContain('✗ error start_failed');
    expect(stderr).toContain('missing.ts');
    expect(code).toBe(1);
  });
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
