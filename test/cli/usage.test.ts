import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageVersion } from '../../src/node/package-version.ts';
import { runInProcess } from './support/in-process.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'steerloop-usage-'));
  await mkdir(join(folder, '.git'));
  await writeFile(join(folder, 'empty.jsonl'), '');
  await writeFile(join(folder, 'good.json'), '{"steps":[{"text":"Yes."}]}');
  await writeFile(join(folder, 'notes.txt'), 'no recording\n');
});
afterAll(() => rm(folder, { recursive: true }));

const MODEL = ['run', '--model', 'script:x.json'];
const PROMPT = ['--user-prompt', 'hi'];

describe('a command that is called wrongly', () => {
  it.each([
    [['rnu'], "unknown command 'rnu'"],
    [['run', '--modle', 'x'], "unknown option '--modle' (Did you mean --model?)"],
    [['run', '--model'], "option '--model <spec>' argument missing"],
    [[...MODEL], '--user-prompt is missing'],
    [['run', ...PROMPT], '--model is missing'],
    [[...MODEL, 'say', 'hello'], 'unexpected word "say"; the prompt goes in --user-prompt'],
    [[...MODEL, '--user-prompt', '@missing.txt'], '--user-prompt names missing.txt, which does not exist'],
    [[...MODEL, ...PROMPT, '--timeout', '5x'], '--timeout is "5x"; expected a duration such as 500ms, 20s, 5m or 1h'],
    [[...MODEL, ...PROMPT, '--max-iterations', '0'], '--max-iterations is "0"; expected a whole number of 1 or more'],
    [[...MODEL, ...PROMPT, '--thinking', 'hard'], '--thinking is "hard"; expected one of off, low, medium, high'],
    [[...MODEL, ...PROMPT, '--stop-on', 'manual'], '--stop-on manual waits for messages that nobody can send'],
    [[...MODEL, ...PROMPT, '--image', 'notes.txt'], '--image names notes.txt, which is no picture'],
    [[...MODEL, ...PROMPT, ...PROMPT], '--user-prompt is given twice'],
    [['run', ...PROMPT, '--agent', 'a.ts', '--tools', 't.yaml'], '--tools does not go with --agent'],
    [['replay'], '--path is missing'],
    [['replay', 'x.jsonl'], 'unexpected word "x.jsonl"; the recording goes in --path'],
    [['replay', '--path', 'missing.jsonl'], 'There is no recording'],
    [['replay', '--path', '.'], 'it is a directory. Give'],
    [['replay', '--path', 'empty.jsonl'], 'which is no recording'],
    [['replay', '--path', 'notes.txt'], 'which is no recording'],
    [['replay', '--path', 'x', '--speed', 'fast'], '--speed is "fast"; expected a number of 0 or more'],
    [['tools', 'check', 'missing.yaml'], 'missing.yaml'],
    [['tools', 'check'], "missing required argument 'file'; see steerloop tools check --help"],
    [['tools', 'chek'], "unknown command 'chek' (Did you mean check?); see steerloop tools --help"],
  ])('as %j says in one line what was expected, and exits with 2', async (words, message) => {
    const { code, stdout, stderr } = await runInProcess(words, folder);
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/^steerloop: [^\n]+\n$/);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });
});

describe('a run that cannot start', () => {
  it.each([
    [['--model', 'nobody:x'], '"nobody:x" names no model'],
    [['--model', 'script:missing.json'], 'missing.json'],
    [['--model', 'script:good.json', '--tools', 'missing.yaml'], 'missing.yaml'],
    [['--model', 'script:good.json', '--max-cost', '1'], 'max_cost_usd is 1, but the price of script:script is not known'],
    [['--model', 'script:good.json', '--record', 'notes.txt'], 'The path of a recording is "notes.txt"'],
  ])('as with %j says why in one line, exits with 2 and records nothing', async (flags, message) => {
    const { code, stdout, stderr } = await runInProcess(['run', ...PROMPT, ...flags], folder);
    expect(stderr).toMatch(/^steerloop: [^\n]+\n$/);
    expect(stderr).toContain(message);
    expect(stdout).toBe('');
    expect(code).toBe(2);
    expect(existsSync(join(folder, 'run-recordings'))).toBe(false);
  });
});

describe('help', () => {
  it.each([[[]], [['run']], [['replay']], [['tools']], [['tools', 'check']]])('of %j shows its flags and an example', async (words) => {
    const { code, stdout, stderr } = await runInProcess([...words, '--help'], folder);
    expect(stdout).toMatch(/^Usage: steerloop/);
    expect(stdout).toMatch(/Example:\n {2}steerloop /);
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });

  it('is shown, as a mistake, when no command is named', async () => {
    const { code, stdout, stderr } = await runInProcess([], folder);
    expect(stderr).toMatch(/^Usage: steerloop/);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });
});

describe('--version', () => {
  it('prints the version of the package', async () => {
    const { code, stdout } = await runInProcess(['--version'], folder);
    expect(stdout).toBe(`${packageVersion()}\n`);
    expect(code).toBe(0);
  });
});
