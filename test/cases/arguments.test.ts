/** Arguments that are empty, broken or cut, and tools that do not exist: cases B1, B5 and B7 (L3). */
import { describe, expect, it } from 'vitest';
import { SHARED_FOLDER, SKIPPED, warnWhenSkipped } from '../support/shared-inputs.ts';
import { playCase } from './support/case-run.ts';
import { anthropicReply, openaiCall, openaiReply } from './support/case-server.ts';
import { checkedTools } from './support/checked-tools.ts';
import { only, results, sentCalls, sentResults } from './support/readings.ts';

warnWhenSkipped('what becomes of broken and cut arguments and of unknown tools (B1, B5, B7)');

const NEED = { properties: { p: { type: 'number' } }, required: ['p'] };
const WRITE_FILE = { properties: { path: { type: 'string' }, content: { type: 'string' } }, required: ['path'] };
const DONE = anthropicReply([['text', 'done']]);

/** An answer whose call the output limit cut; the text of the arguments is what came of it. */
function cutReply(id: string, args: string, stop = 'max_tokens') {
  return anthropicReply([['tool', id, 'write_file', args]], { stop });
}

describe.skipIf(SHARED_FOLDER === undefined)(`arguments of calls${SKIPPED}`, () => {
  it('B1: empty arguments are none, broken ones never run and are told where, good siblings run', async () => {
    const { tools, ran } = checkedTools({ noparam: {}, need: NEED });
    const { result, server, events } = await playCase('B1', 'openai', { tools });

    expect(result).toMatchObject({ reason: 'finished', final_content: 'done' });
    expect(ran).toEqual([
      ['noparam', {}],
      ['need', { p: 1 }],
    ]);
    expect(sentResults(server.messages(1))).toEqual([
      ['c0', 'fine', false],
      ['c1', expect.stringMatching(/^Error: The call of need was not run: .*schema: .*\bp\b/), true],
      ['c2', expect.stringMatching(/^Error: The call of need was not run: .*position 4\b.*"required":\["p"\]/), true],
      ['c3', expect.stringMatching(/^Error: The call of need was not run: .*position 1\b.*"required":\["p"\]/), true],
      ['c4', 'fine', false],
    ]);
    expect(sentCalls(server.messages(1)).map(({ input }) => input)).toEqual([{}, {}, {}, {}, { p: 1 }]);
    expect(only(events, 'tool_call').map(({ arguments_text }) => arguments_text)).toEqual([
      undefined,
      undefined,
      '{"{"p":1}',
      '{p:1,}',
      undefined,
    ]);
  });

  it('B1: the same through Anthropic, where the text of arguments streams in pieces', async () => {
    const { tools, ran } = checkedTools({ noparam: {}, need: NEED });
    const first = anthropicReply(
      [
        ['tool', 'tu_0', 'noparam', ''],
        ['tool', 'tu_1', 'need', ''],
        ['tool', 'tu_2', 'need', '{"{"p":1}'],
        ['tool', 'tu_3', 'need', '[1, 2, 3, 4, 5]'],
        ['tool', 'tu_4', 'need', '{"p":1}'],
      ],
      { stop: 'tool_use' },
    );
    const { events, result } = await playCase({ replies: [first, DONE] }, 'anthropic', { tools });

    expect(result.reason).toBe('finished');
    expect(ran).toEqual([
      ['noparam', {}],
      ['need', { p: 1 }],
    ]);
    const outcomes = new Map(results(events).map(([id, outcome]) => [id, outcome]));
    expect(['tu_0', 'tu_1', 'tu_2', 'tu_3', 'tu_4'].map((id) => outcomes.get(id))).toEqual([
      'ok',
      'invalid_arguments',
      'invalid_arguments',
      'invalid_arguments',
      'ok',
    ]);
  });

  it('B5: a call that the output limit cut is not run, and the model is told why', async () => {
    const { tools, ran } = checkedTools({ write_file: WRITE_FILE });
    const { result, server } = await playCase('B5', 'anthropic', { tools });

    expect(ran).toEqual([]);
    expect(sentResults(server.messages(1))).toEqual([['tu_1', expect.stringContaining('the output limit cut it'), true]]);
    expect(result).toMatchObject({ reason: 'finished', final_content: 'done', tool_calls: 0 });
  });

  it.each([
    ['whose text happens to be whole', cutReply('tu_1', '{"path":"/tmp/a"}'), 'anthropic'],
    ['of which no argument had come', cutReply('tu_1', ''), 'anthropic'],
    ['that the context window cut', cutReply('tu_1', '{"path":"/tmp/a"}', 'model_context_window_exceeded'), 'anthropic'],
    ['of a Chat Completions server', openaiReply([openaiCall('tu_1', 'write_file', '{"path":"/tmp/a"}')], 'length'), 'openai'],
  ] as const)('B5: a cut call %s is not run either', async (_how, cut, provider) => {
    const { tools, ran } = checkedTools({ write_file: { properties: WRITE_FILE.properties } });
    const done = provider === 'anthropic' ? DONE : openaiReply([{ content: 'done' }]);
    const { result, events } = await playCase({ replies: [cut, done] }, provider, { tools });

    expect(ran).toEqual([]);
    expect(results(events)).toEqual([['tu_1', 'not_run', expect.stringContaining('cut')]]);
    expect(result.reason).toBe('finished');
  });

  it('B5: a whole call with text behind it runs, although the limit cut the text', async () => {
    const { tools, ran } = checkedTools({ write_file: WRITE_FILE });
    const reply = anthropicReply(
      [
        ['tool', 'tu_1', 'write_file', { path: '/tmp/a' }],
        ['text', 'and n'],
      ],
      { stop: 'max_tokens' },
    );
    await playCase({ replies: [reply, DONE] }, 'anthropic', { tools });

    expect(ran).toEqual([['write_file', { path: '/tmp/a' }]]);
  });

  it('B5: the third cut turn in a row ends the run as truncated; a whole one in between starts the count anew', async () => {
    const { tools, ran } = checkedTools({ write_file: WRITE_FILE });
    const whole = anthropicReply([['tool', 'whole', 'write_file', { path: '/tmp/a' }]], { stop: 'tool_use' });
    const cut = ['a', 'b', 'c', 'd', 'e'].map((id) => cutReply(id, '{"path":"/tmp/a","content":"abc'));
    const [a, b, c, d, e] = cut;
    const replies = [a, b, whole, c, d, e, DONE].filter((reply) => reply !== undefined);
    const { result, server, events } = await playCase({ replies }, 'anthropic', { tools });

    expect(result).toMatchObject({ reason: 'truncated', iterations: 6, tool_calls: 1 });
    expect(ran).toHaveLength(1);
    expect(server.seen).toHaveLength(6);
    expect(results(events).map(([id, outcome]) => [id, outcome])).toEqual([
      ['a', 'not_run'],
      ['b', 'not_run'],
      ['whole', 'ok'],
      ['c', 'not_run'],
      ['d', 'not_run'],
      ['e', 'not_run'],
    ]);
  });

  it('B7: calls of tools that do not exist are told so, with the real names, and the run goes on', async () => {
    const { tools, ran } = checkedTools({ echo: {}, list: {} });
    const { result, server, events } = await playCase('B7', 'anthropic', { tools });

    expect(result).toMatchObject({ reason: 'finished', final_content: 'done', iterations: 3, tool_calls: 1 });
    expect(ran).toEqual([['echo', { v: 'ok' }]]);
    const told = sentResults(server.messages(1));
    expect(told.map(([id, , isError]) => [id, isError])).toEqual([1, 2, 3, 4, 5, 6].map((id) => [`tu_${id}`, true]));
    expect(told[0]?.[1]).toMatch(/add.*does not exist.*echo, list/);
    expect(told[5]?.[1]).toMatch(/ECHO.*does not exist.*did you mean echo\?/);
    expect(told.map(([, text]) => text).join()).not.toMatch(/permission|allowed|denied|approv/i);
    expect(only(events, 'approval_requested')).toEqual([]);
  });
});
