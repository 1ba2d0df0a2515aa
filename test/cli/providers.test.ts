/** The command through the real SDKs, against a local server that speaks the providers' wire formats. Real processes: keys come from the environment. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { anthropicStream, chatChunk, chatStream, startWireServer, type WireAnswer, type WireServer } from '../support/wire-server.ts';
import { runCli } from './support/cli-process.ts';
import { runInProcess } from './support/in-process.ts';
import { transcript } from './support/transcript.ts';
import { createWorkspace } from './support/workspace.ts';

const KEY = 'sk-test-0123456789abcdef';
const TOOLS = `
tools:
  - name: find
    description: Finds a text in the files of the current directory.
    parameters: { type: object, properties: { text: { type: string } }, required: [text] }
    command: [grep, "-rn", "--include=*.txt", "--", "{{.text}}", "."]
`;

async function serve(answers: readonly WireAnswer[]): Promise<WireServer> {
  const server = await startWireServer(answers);
  onTestFinished(() => server.close());
  return server;
}

function anthropicReply(
  stopReason: string,
  ...blocks: readonly (readonly [Record<string, unknown>, Record<string, unknown>])[]
): WireAnswer {
  const usage = { input_tokens: 20, output_tokens: 1 };
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  const events = blocks.flatMap(([content_block, delta], index) => [
    { type: 'content_block_start', index, content_block },
    { type: 'content_block_delta', index, delta },
    { type: 'content_block_stop', index },
  ]);
  const end = { type: 'message_delta', delta: { stop_reason: stopReason, stop_sequence: null }, usage: { output_tokens: 10 } };
  return { body: anthropicStream([{ type: 'message_start', message }, ...events, end, { type: 'message_stop' }]) };
}

const ANTHROPIC: readonly WireAnswer[] = [
  anthropicReply(
    'tool_use',
    [
      { type: 'text', text: '' },
      { type: 'text_delta', text: 'I look.' },
    ],
    [
      { type: 'tool_use', id: 'toolu_1', name: 'find', input: {} },
      { type: 'input_json_delta', partial_json: '{"text":"needle"}' },
    ],
  ),
  anthropicReply('end_turn', [
    { type: 'text', text: '' },
    { type: 'text_delta', text: 'It is in hay.txt.' },
  ]),
];

const CHAT_USAGE = { id: 'c', choices: [], usage: { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 } };
const OPENAI: readonly WireAnswer[] = [
  {
    body: chatStream([
      chatChunk({ role: 'assistant', content: 'I look.' }),
      chatChunk({ tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'find', arguments: '{"text":"needle"}' } }] }),
      chatChunk({}, 'tool_calls'),
      CHAT_USAGE,
    ]),
  },
  { body: chatStream([chatChunk({ role: 'assistant', content: 'It is in hay.txt.' }), chatChunk({}, 'stop'), CHAT_USAGE]) },
];

describe('run with a provider', () => {
  it.each([
    ['anthropic', ANTHROPIC, 'ANTHROPIC', ''],
    ['openai', OPENAI, 'OPENAI', '/v1'],
  ] as const)('%s searches real files through its SDK, and replay prints the same', async (provider, answers, variable, suffix) => {
    const server = await serve(answers);
    const { path, write, recordings } = await createWorkspace();
    await write('hay.txt', 'straw\nneedle\n');
    await write('tools.yaml', TOOLS);
    const env = { [`${variable}_API_KEY`]: KEY, [`${variable}_BASE_URL`]: server.url + suffix };
    const ran = await runCli(
      ['run', '--model', `${provider}:some-model`, '--tools', 'tools.yaml', '--user-prompt', 'Where is the needle?'],
      {
        cwd: path,
        env,
      },
    );
    await expect(transcript(ran)).toMatchFileSnapshot(`transcripts/provider-${provider}.txt`);
    expect(JSON.stringify(server.requests[1]?.body)).toContain('./hay.txt:2:needle');
    expect(server.requests).toHaveLength(2);

    const [recording = ''] = await recordings();
    expect(await runInProcess(['replay', '--path', recording, '--speed', '0'], path)).toEqual({
      code: 0,
      stdout: ran.stdout,
      stderr: ran.stderr,
    });
    expect(server.requests).toHaveLength(2);
  });

  it.each([
    ['anthropic:some-model', 'ANTHROPIC_API_KEY'],
    ['openai:some-model', 'OPENAI_API_KEY'],
  ])('%s without its key is refused by the name of the variable, and nothing is recorded', async (model, variable) => {
    const { path, recordings } = await createWorkspace();
    const { code, stdout, stderr } = await runCli(['run', '--model', model, '--user-prompt', 'hi'], { cwd: path });
    expect(stderr).toMatch(/^steerloop: [^\n]+\n$/);
    expect(stderr).toContain(variable);
    expect(stdout).toBe('');
    expect(code).toBe(2);
    expect(await recordings()).toEqual([]);
  });

  it('shows nothing that the SDK prints by itself, which replay could not show again', async () => {
    const server = await serve([
      anthropicReply('end_turn', [
        { type: 'text', text: '' },
        { type: 'text_delta', text: 'Hi.' },
      ]),
    ]);
    const { path } = await createWorkspace();
    const env = { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: server.url };
    // A model that the SDK calls deprecated.
    const words = ['run', '--model', 'anthropic:claude-sonnet-4-5', '--user-prompt', 'hi', '--record', 'own.jsonl'];
    const ran = await runCli(words, { cwd: path, env });
    expect(ran).toMatchObject({ code: 0, stdout: 'Hi.\n' });
    expect(ran.stderr).not.toContain('deprecated');
    expect(await runInProcess(['replay', '--path', 'own.jsonl', '--speed', '0'], path)).toEqual({
      code: 0,
      stdout: ran.stdout,
      stderr: ran.stderr,
    });
  });

  it('shows a refused key to nobody: neither screen nor recording', async () => {
    const echo = JSON.stringify({ error: { type: 'authentication_error', message: `Bearer ${KEY} is not valid` } });
    const server = await serve([{ status: 401, headers: { 'content-type': 'application/json' }, body: echo }]);
    const { path } = await createWorkspace();
    const ran = await runCli(
      ['run', '--model', 'openai:some-model', '--base-url', `${server.url}/v1`, '--user-prompt', 'hi', '--record', 'own.jsonl'],
      {
        cwd: path,
        env: { OPENAI_API_KEY: KEY },
      },
    );
    expect(ran.stderr).toContain('is not valid');
    expect(ran.code).toBe(1);
    expect(ran.stdout + ran.stderr + (await readFile(join(path, 'own.jsonl'), 'utf8'))).not.toContain(KEY);
  });

  it('sends system prompt, picture and settings as the flags say', async () => {
    const server = await serve([{ body: chatStream([chatChunk({ content: 'A dot.' }), chatChunk({}, 'stop')]) }]);
    const { path, write } = await createWorkspace();
    await write('system.txt', 'Be brief.');
    const picture = Buffer.from('89504e470d0a1a0a00', 'hex');
    await writeFile(join(path, 'dot.png'), picture);
    const words = ['run', '--model', 'openai-compatible:tiny', '--base-url', `${server.url}/v1`, '--user-prompt', '@@what is this?'];
    const flags = [
      '--system-prompt',
      '@system.txt',
      '--image',
      'dot.png',
      '--temperature',
      '0.5',
      '--max-output-tokens',
      '77',
      '--record',
      'none',
    ];
    const { code, stdout } = await runCli([...words, ...flags], { cwd: path });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'A dot.\n' });
    const body = JSON.stringify(server.requests[0]?.body);
    expect(server.requests[0]?.body).toMatchObject({ model: 'tiny', temperature: 0.5 });
    expect(body).toContain('77');
    expect(body).toContain('Be brief.');
    expect(body).toContain('@what is this?');
    expect(body).toContain(`data:image/png;base64,${picture.toString('base64')}`);
  });
});
