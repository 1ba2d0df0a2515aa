/** Recordings through the command: a torn last line (case L1), and who may read what (case L3; L10). */
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMAND, type Finished } from '../cli/support/cli-process.ts';
import { runInProcess } from '../cli/support/in-process.ts';
import { createWorkspace } from '../cli/support/workspace.ts';
import { SHARED_FOLDER, SKIPPED, warnWhenSkipped } from '../support/shared-inputs.ts';
import { CASE_KEY } from './support/case-run.ts';
import { anthropicReply, errorReply, openaiReply, serveCase } from './support/case-server.ts';

warnWhenSkipped('torn recordings and the secrets in them (L1, L3)');

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

/** Runs the command under a umask, with the environment given. */
function runUnder(umask: string, words: readonly string[], cwd: string, env: Readonly<Record<string, string>>): Promise<Finished> {
  const child = spawn('sh', ['-c', `umask ${umask}; exec "$@"`, 'sh', process.execPath, ...COMMAND, ...words], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      printed[stream] += text;
    });
  }
  return new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal, ...printed })));
}

describe.skipIf(SHARED_FOLDER === undefined)(`L1: a recording whose last line is torn${SKIPPED}`, () => {
  it('is gone on with: the next run is whole, the first is told as far as it goes, and the line is named', async () => {
    const server = await serveCase({ replies: [openaiReply([{ content: 'čau 🙂' }]), openaiReply([{ content: 'second' }])] });
    const { path } = await createWorkspace();
    const own = join(path, 'own.jsonl');
    const run = ['run', '--model', 'openai-compatible:m', '--base-url', `${server.url}/v1`, '--user-prompt', 'go', '--record', 'own.jsonl'];
    await runInProcess(run, path);
    const whole = readFileSync(own);
    truncateSync(own, whole.lastIndexOf('{"type":"done"') + 30);
    const lines = readFileSync(own, 'utf8').split('\n');
    const firstRun = String(JSON.parse(lines[1] ?? '{}').run_id);
    const second = await runInProcess(run, path);

    const replay = ['replay', '--path', 'own.jsonl', '--speed', '0'];
    const warning = `! line ${lines.length} `;
    const again = await runInProcess(replay, path);
    expect(again).toMatchObject({ code: 0, stdout: 'second\n' });
    expect(again.stderr.startsWith(warning)).toBe(true);
    expect(again.stderr.endsWith(second.stderr)).toBe(true);
    const torn = await runInProcess([...replay, '--run', firstRun], path);
    expect(torn).toMatchObject({ code: 1, stdout: '' });
    expect(torn.stderr).toContain(warning);
    expect(torn.stderr).toContain('čau 🙂');
    expect(torn.stderr).toContain('recording_incomplete');
    expect(readFileSync(own, 'utf8').startsWith(`${lines.join('\n')}\n`)).toBe(true);
  });
});

const TOOLS = `tools:
  - name: say
    command: [echo, "it said {{.text}}"]
    parameters: {type: object, properties: {text: {type: string}}}
  - { name: show_environment, command: [env] }
`;

describe.skipIf(SHARED_FOLDER === undefined)(`L3: a recording${SKIPPED}`, () => {
  it('is closed to others whatever the umask, and no key is in it or on the screen', async () => {
    const calls = anthropicReply(
      [
        ['text', `the key is ${CASE_KEY}.`],
        ['tool', 'tu_1', 'say', { text: CASE_KEY }],
        ['tool', 'tu_2', 'show_environment', {}],
      ],
      { stop: 'tool_use' },
    );
    const refused = errorReply(401, 'authentication_error', `x-api-key ${CASE_KEY} and Bearer ${CASE_KEY} are refused`);
    const server = await serveCase({ replies: [calls, refused] });
    const { path, write, recordings } = await createWorkspace();
    await write('tools.yaml', TOOLS);
    const env = { ANTHROPIC_API_KEY: CASE_KEY, ANTHROPIC_BASE_URL: server.url };
    const words = ['run', '--model', 'anthropic:m', '--tools', 'tools.yaml', '--user-prompt', 'go', '--output', 'jsonl'];
    const ran = await runUnder('000', words, path, env);

    const [recording = ''] = await recordings();
    expect(ran.code).toBe(1);
    expect(modeOf(recording)).toBe(0o600);
    expect(modeOf(join(path, 'run-recordings'))).toBe(0o700);
    const kept = readFileSync(recording, 'utf8');
    for (const text of [ran.stdout, ran.stderr, kept]) {
      expect(text).not.toContain(CASE_KEY);
      expect(text).toContain('the key is [redacted].');
      expect(text).toContain('it said [redacted]');
      expect(text).toContain('are refused');
    }
    expect(kept).not.toContain('ANTHROPIC_API_KEY=');
    expect(JSON.stringify(server.seen[0]?.headers)).toContain(CASE_KEY);
  });

  it('that was there and open to others is closed to them when a run is appended; its folder stays as it is', async () => {
    const server = await serveCase({ replies: [openaiReply([{ content: 'one' }]), openaiReply([{ content: 'two' }])] });
    const { path } = await createWorkspace();
    const folder = join(path, 'shared');
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    const run = ['run', '--model', 'openai-compatible:m', '--base-url', `${server.url}/v1`, '--user-prompt', 'go'];
    const own = join(folder, 'own.jsonl');
    await runInProcess([...run, '--record', own], path);
    chmodSync(own, 0o644);
    const { code } = await runInProcess([...run, '--record', own], path);

    expect(code).toBe(0);
    expect(modeOf(own)).toBe(0o600);
    expect(modeOf(folder)).toBe(0o755);
  });
});
