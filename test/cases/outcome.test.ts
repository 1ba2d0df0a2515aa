/**
 * Case Z1: how a run ended is told truly, everywhere. One run for each ending, inline and through the command (which runs it in a
 * thread): the same reason in the API's result, the events, the recording, its replay and the exit code.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { agentFromData } from '../../src/node/agent-from-data.ts';
import type { RunConfig } from '../../src/runtime/schema/config.ts';
import type { RunEvent } from '../../src/runtime/schema/event.ts';
import { startRun } from '../../src/runtime/start-run.ts';
import { collect } from '../../src/runtime/testing/index.ts';
import { COMMAND, startCli } from '../cli/support/cli-process.ts';
import { runInProcess } from '../cli/support/in-process.ts';
import { createWorkspace, recordedEvents, type Workspace } from '../cli/support/workspace.ts';
import { SHARED_FOLDER, SKIPPED, warnWhenSkipped } from '../support/shared-inputs.ts';
import { type CaseReply, type CaseServer, errorReply, openaiCall, openaiReply, serveCase } from './support/case-server.ts';
import { expectSoundRun } from './support/sound-run.ts';

warnWhenSkipped('whether the end of a run is told truly (Z1)');

const MANIFEST = `tools:
  - { name: say, command: [echo, said] }
  - { name: crash, command: [sh, -c, "kill -SEGV $$"] }
  - { name: end_the_command, command: [sh, -c, "kill -TERM $PPID; sleep 600"], timeout: 1h }
`;

interface Ending {
  readonly replies: readonly CaseReply[];
  readonly reason: string;
  readonly code: number;
  readonly config?: RunConfig;
  readonly flags?: readonly string[];
  readonly final?: string;
  readonly error?: string;
}

const ANSWER = openaiReply([{ content: 'The answer.' }]);
const CALL = openaiReply([{ content: 'I look.' }, openaiCall('c0', 'say', '{}')], 'tool_calls');
const BUSY = errorReply(429, 'rate_limit_error', 'busy', { 'retry-after-ms': '1' });
const BROKEN: CaseReply = { body: { openai: [{ d: { content: 'Half an' } }], done: false } };

const ENDINGS: Readonly<Record<string, Ending>> = {
  'an answer': { replies: [CALL, ANSWER], reason: 'finished', code: 0, final: 'The answer.' },
  'the limit of turns': {
    replies: [CALL],
    reason: 'max_iterations',
    code: 3,
    config: { max_iterations: 1 },
    flags: ['--max-iterations', '1'],
    final: 'I look.',
  },
  'the time limit': {
    replies: [{ ...BROKEN, end: 'hang' }],
    reason: 'timeout',
    code: 4,
    config: { timeout_ms: 400 },
    flags: ['--timeout', '400ms'],
  },
  'a budget': {
    replies: [openaiReply([{ content: 'Twice.' }, openaiCall('c0', 'say', '{}'), openaiCall('c1', 'say', '{}', 1)], 'tool_calls')],
    reason: 'budget',
    code: 6,
    config: { max_tool_calls: 1 },
    flags: ['--max-tool-calls', '1'],
    final: 'Twice.',
  },
  'a broken stream behind a retry': {
    replies: [BUSY, BROKEN],
    reason: 'error',
    code: 1,
    config: { max_attempts: 2 },
    flags: ['--attempts', '2'],
    error: 'model_network',
  },
  'a 400': {
    replies: [errorReply(400, 'invalid_request_error', 'no such field')],
    reason: 'error',
    code: 1,
    error: 'model_invalid_request',
  },
  'a 401': { replies: [errorReply(401, 'authentication_error', 'who are you')], reason: 'error', code: 1, error: 'model_auth' },
  'a refusal': { replies: [openaiReply([], 'content_filter')], reason: 'refused', code: 7 },
  'a cut answer': {
    replies: [openaiReply([{ content: 'It goes on and' }], 'length')],
    reason: 'truncated',
    code: 7,
    final: 'It goes on and',
  },
  'an empty answer': { replies: [openaiReply([]), openaiReply([])], reason: 'empty', code: 7 },
  'an answer behind a tool that crashed': {
    replies: [openaiReply([openaiCall('c0', 'crash', '{}')], 'tool_calls'), ANSWER],
    reason: 'finished',
    code: 0,
    final: 'The answer.',
  },
};

/** Endings that differ from the others inside the loop only. */
const FURTHER: Readonly<Record<string, Ending>> = {
  'a budget that the first request would pass': {
    replies: [],
    reason: 'budget',
    code: 6,
    config: { max_total_tokens: 100 },
    flags: ['--max-total-tokens', '100'],
  },
  'a page instead of a stream': {
    replies: [{ headers: { 'content-type': 'text/html' }, body: '<html>proxy</html>' }],
    reason: 'error',
    code: 1,
    config: { max_attempts: 1 },
    flags: ['--attempts', '1'],
    error: 'model_server',
  },
};

async function stage(replies: readonly CaseReply[]): Promise<{ server: CaseServer; workspace: Workspace; words: string[] }> {
  const server = await serveCase({ replies });
  const workspace = await createWorkspace();
  await workspace.write('tools.yaml', MANIFEST);
  const words = ['run', '--model', 'openai-compatible:m', '--base-url', `${server.url}/v1`, '--tools', 'tools.yaml'];
  return { server, workspace, words: [...words, '--user-prompt', 'go', '--record', 'own.jsonl'] };
}

/** What the recording in a folder says of the end of its run. */
async function recordedDone(folder: string) {
  const events = (await recordedEvents(join(folder, 'own.jsonl'))) as unknown as RunEvent[];
  expectSoundRun(events);
  return events.at(-1);
}

describe.skipIf(SHARED_FOLDER === undefined)(`Z1: a run that ends by${SKIPPED}`, () => {
  it.each(Object.entries(ENDINGS))('%s says so in result, outcome, recording, replay and exit code', async (_name, ending) => {
    const { workspace, words } = await stage(ending.replies);
    const ran = await runInProcess([...words, ...(ending.flags ?? []), '--output', 'json'], workspace.path);
    const outcome = JSON.parse(ran.stdout);

    const expected = { reason: ending.reason, final_content: ending.final ?? outcome.final_content };
    expect(ran.code).toBe(ending.code);
    expect(outcome).toMatchObject({ ...expected, exit_code: ending.code });
    expect(outcome.error?.code).toBe(ending.error);
    expect(await recordedDone(workspace.path)).toMatchObject(expected);
    const replayed = await runInProcess(['replay', '--path', 'own.jsonl', '--speed', '0', '--output', 'json'], workspace.path);
    expect(replayed).toEqual(ran);
  });

  it.each(Object.entries({ ...ENDINGS, ...FURTHER }))('%s says the same to a program that runs it inline', async (_name, ending) => {
    const { server, workspace } = await stage(ending.replies);
    const data = { model: 'openai-compatible:m', base_url: `${server.url}/v1`, tools: join(workspace.path, 'tools.yaml') };
    const run = startRun(await agentFromData(data, { env: process.env }), 'go', { config: ending.config });
    const [result, events] = await Promise.all([run.result, collect(run)]);

    expect(result.reason).toBe(ending.reason);
    expect(result.error?.code).toBe(ending.error);
    if (ending.final !== undefined) expect(result.final_content).toBe(ending.final);
    expectSoundRun(events);
    expect(events.at(-1)).toMatchObject({ reason: result.reason, final_content: result.final_content });
  });

  it('a crash of its thread says so everywhere, with the code of the exit', async () => {
    const { path } = await createWorkspace();
    const agent = fileURLToPath(new URL('../fixtures/worker/trouble-agent.ts', import.meta.url));
    const words = ['run', '--agent', agent, '--user-prompt', 'exit_7', '--record', 'own.jsonl', '--output', 'json'];
    const ran = await runInProcess(words, path);

    expect(ran.code).toBe(1);
    expect(JSON.parse(ran.stdout)).toMatchObject({ reason: 'crashed', exit_code: 1, error: { message: expect.stringContaining('7') } });
    expect(await recordedDone(path)).toMatchObject({ reason: 'crashed', origin: 'host' });
    expect(await runInProcess(['replay', '--path', 'own.jsonl', '--speed', '0', '--output', 'json'], path)).toEqual(ran);
  });
});

describe.skipIf(SHARED_FOLDER === undefined)(`Z1: a command${SKIPPED}`, () => {
  it('that gets SIGTERM while the model is silent exits with 143, and so does its replay', async () => {
    const { server, workspace, words } = await stage([{ ...BROKEN, end: 'hang' }]);
    const command = startCli([...words, '--output', 'json'], { cwd: workspace.path });
    await expect.poll(() => server.seen.length, { timeout: 15_000 }).toBe(1);
    command.kill('SIGTERM');
    const ran = await command.finished;

    expect(ran).toMatchObject({ code: 143, signal: null });
    expect(JSON.parse(ran.stdout)).toMatchObject({ reason: 'stopped', exit_code: 143 });
    expect(await recordedDone(workspace.path)).toMatchObject({ reason: 'stopped' });
    const replayed = await runInProcess(['replay', '--path', 'own.jsonl', '--speed', '0', '--output', 'json'], workspace.path);
    expect(replayed).toEqual({ code: 143, stdout: ran.stdout, stderr: ran.stderr });
  });

  it('that one of its own tools ends with SIGTERM stops, and exits with 143', async () => {
    const { workspace, words } = await stage([openaiReply([openaiCall('c0', 'end_the_command', '{}')], 'tool_calls')]);
    const ran = await startCli(words, { cwd: workspace.path }).finished;

    expect(ran).toMatchObject({ code: 143, signal: null, stdout: '' });
    expect(await recordedDone(workspace.path)).toMatchObject({ reason: 'stopped' });
  });

  it('in a pipe to `head -1` ends quietly, as stopped', async () => {
    const { workspace, words } = await stage([CALL, { ...BROKEN, end: 'hang' }]);
    const command = [process.execPath, ...COMMAND, ...words, '--output', 'jsonl'];
    const script = 'set -o pipefail; "$@" | head -1';
    const piped = await new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
      execFile('bash', ['-c', script, 'bash', ...command], { cwd: workspace.path }, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, stdout, stderr }),
      );
    });

    expect(piped.code).toBe(141);
    expect(JSON.parse(piped.stdout)).toMatchObject({ type: 'run_started' });
    expect(piped.stderr).not.toMatch(/EPIPE|Error|^\s+at /m);
    expect(await recordedDone(workspace.path)).toMatchObject({ reason: 'stopped' });
  });
});
