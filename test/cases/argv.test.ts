/** Values on their way into a command: cases N1, N3 and N5, through whole runs, threads and the command. */
import { describe, expect, it } from 'vitest';
import { runInProcess } from '../cli/support/in-process.ts';
import { createWorkspace } from '../cli/support/workspace.ts';
import { SHARED_FOLDER, SKIPPED, warnWhenSkipped } from '../support/shared-inputs.ts';
import { threadHost } from '../worker/support/thread-host.ts';
import { type CaseReply, openaiCall, openaiReply, serveCase } from './support/case-server.ts';
import { only, results, textOf } from './support/readings.ts';
import { playThrough, WAYS } from './support/three-ways.ts';

warnWhenSkipped('what values become arguments of a command (N1, N3, N5)');

/** One answer that makes these calls, and one that ends the run. */
function calling(calls: readonly (readonly [name: string, args: object])[]): { replies: CaseReply[] } {
  const deltas = calls.map(([name, args], index) => openaiCall(`c${index}`, name, JSON.stringify(args), index));
  return { replies: [openaiReply(deltas, 'tool_calls'), openaiReply([{ content: 'done' }])] };
}

describe.skipIf(SHARED_FOLDER === undefined)(`N1: placeholders without quotes${SKIPPED}`, () => {
  const UNQUOTED = `tools:
  - name: show
    description: print a file
    command: [cat, {{.path}}]
    parameters: {type: object, properties: {path: {type: string}}, required: [path]}
  - name: show2
    description: the same as a block list
    command:
      - cat
      - {path}
    parameters: {type: object, properties: {path: {type: string}}, required: [path]}
  - name: show3
    description: quoted, must load
    command: [cat, "{{.path}}"]
    parameters: {type: object, properties: {path: {type: string}}, required: [path]}
`;

  it.each([
    ['run', ['--tools']],
    ['tools', ['check']],
  ])('are refused by %s before anything happens, each with its line, tool and element', async (command, [word = '']) => {
    const server = await serveCase({ replies: [] });
    const { path, write, recordings } = await createWorkspace();
    const manifest = await write('tools.yaml', UNQUOTED);
    const more = command === 'run' ? ['--model', 'openai-compatible:m', '--base-url', server.url, '--user-prompt', 'go'] : [];
    const { code, stdout, stderr } = await runInProcess([command, ...more, word, manifest], path);

    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/tools\.yaml:4: tool "show", command\[1\]: .*quote/);
    expect(stderr).toMatch(/tools\.yaml:10: tool "show2", command\[1\]: .*quote/);
    expect(stderr).not.toMatch(/show3|\[object Object\]/);
    expect(server.seen).toEqual([]);
    expect(await recordings()).toEqual([]);
  });

  it('are refused by a host before it starts a thread', async () => {
    const { write } = await createWorkspace();
    const agent = { model: 'openai-compatible:m', base_url: 'http://127.0.0.1:9/v1', tools: await write('tools.yaml', UNQUOTED) };

    await expect(threadHost().start({ agent, input: 'go' })).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringMatching(/tools\.yaml:4: tool "show", command\[1\]/),
    });
  });
});

describe.skipIf(SHARED_FOLDER === undefined)(`N3: values that look like options${SKIPPED}`, () => {
  const MANIFEST = `tools:
  - name: one
    command: [printf, "[%s]", "{{.v}}"]
    parameters: {type: object, properties: {v: {type: [string, number]}}}
  - name: many
    command: [printf, "[%s]", "{{.list}}"]
    parameters: {type: object, properties: {list: {type: array}}}
  - name: default_value
    command: [printf, "[%s]", "{{.mode}}"]
    parameters: {type: object, properties: {mode: {type: string, default: "-x"}}}
  - name: member
    command: [printf, "[%s]", "{{.level}}"]
    parameters: {type: object, properties: {level: {enum: ["-a", "b"]}}}
  - name: embedded
    command: [printf, "[%s]", "--name={{.v}}"]
    parameters: {type: object, properties: {v: {type: string}}}
  - name: allowed
    command: [printf, "[%s]", "{{.v}}"]
    parameters: {type: object, properties: {v: {type: [string, number]}}}
    allow_flag_values: true
`;
  const refused = (name: string) => ['invalid_arguments', expect.stringMatching(new RegExp(`parameter "${name}".*"-"`))];

  const TABLE: readonly (readonly [tool: string, args: object, outcome: readonly unknown[]])[] = [
    ['one', { v: '-rf' }, refused('v')],
    ['one', { v: '--output=/x' }, refused('v')],
    ['one', { v: '-' }, refused('v')],
    ['one', { v: '--' }, refused('v')],
    ['one', { v: -5 }, refused('v')],
    ['many', { list: ['ok', '-rf'] }, refused('list')],
    ['default_value', {}, refused('mode')],
    ['member', { level: '-a' }, refused('level')],
    ['one', { v: ' -x' }, ['ok', '[ -x]']],
    ['one', { v: '\t-x' }, ['ok', '[\t-x]']],
    ['one', { v: '\u2010x' }, ['ok', '[\u2010x]']],
    ['one', { v: '+x' }, ['ok', '[+x]']],
    ['one', { v: '@file' }, ['ok', '[@file]']],
    ['one', { v: 5 }, ['ok', '[5]']],
    ['many', { list: ['a', 'b'] }, ['ok', '[a][b]']],
    ['member', { level: 'b' }, ['ok', '[b]']],
    ['embedded', { v: '-rf' }, ['ok', '[--name=-rf]']],
    ['allowed', { v: '-rf' }, ['ok', '[-rf]']],
    ['allowed', { v: -5 }, ['ok', '[-5]']],
  ];

  it.each(WAYS)('are refused by the parameter that holds them, and nothing starts: %s', async (way) => {
    const { reason, events } = await playThrough(way, calling(TABLE.map(([tool, args]) => [tool, args])), { manifest: MANIFEST });

    const told = new Map(results(events).map(([id, ...rest]) => [id, rest]));
    expect(TABLE.map(([tool, args], index) => [tool, args, told.get(`c${index}`)])).toEqual(TABLE);
    expect(only(events, 'tool_started').map(({ call_id }) => call_id)).toEqual(
      TABLE.flatMap(([, , [outcome]], index) => (outcome === 'ok' ? [`c${index}`] : [])),
    );
    expect(reason).toBe('finished');
  });
});

describe.skipIf(SHARED_FOLDER === undefined)(`N5: values that no system takes${SKIPPED}`, () => {
  const MANIFEST = `tools:
  - name: count
    command: [sh, -c, 'printf %s "$@" | wc -c', sh, "{{.v}}"]
    parameters: {type: object, properties: {v: {type: [string, array]}}}
  - name: echo
    command: [printf, "[%s]", "{{.v}}"]
    parameters: {type: object, properties: {v: {type: string}}}
`;
  const CALLS: readonly (readonly [string, object])[] = [
    ['count', { v: 'a\0b' }],
    ['count', { v: 'x'.repeat(127 * 1_024) }],
    ['count', { v: 'x'.repeat(129 * 1_024) }],
    ['count', { v: Array.from({ length: 30 }, () => 'x'.repeat(100_000)) }],
    ['echo', { v: 'a path/with "quotes"\nand a line break; $(id)' }],
  ];

  it.each(['inline', 'in a thread'] as const)('are refused with the limit named, and the run goes on: %s', async (way) => {
    const { reason, events } = await playThrough(way, calling(CALLS), { manifest: MANIFEST });

    const told = new Map(only(events, 'tool_result').map((event) => [event.call_id, [event.outcome, textOf(event).trim()]]));
    expect(CALLS.map((_, index) => told.get(`c${index}`))).toEqual([
      ['invalid_arguments', expect.stringContaining('NUL')],
      ['ok', '130048'],
      ['invalid_arguments', expect.stringContaining('128 KiB')],
      ['invalid_arguments', expect.stringContaining('2 MiB')],
      ['ok', '[a path/with "quotes"\nand a line break; $(id)]'],
    ]);
    expect(reason).toBe('finished');
  });
});
