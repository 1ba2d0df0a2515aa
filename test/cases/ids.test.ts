/** Ids of calls: cases A6 and H3. Every call has an id of its own, in the call and in its result, and runs once (L1). */
import { describe, expect, it } from 'vitest';
import { recordingTools } from '../../src/runtime/testing/index.ts';
import { SHARED_FOLDER, SKIPPED, warnWhenSkipped } from '../support/shared-inputs.ts';
import { playCase } from './support/case-run.ts';
import { anthropicReply, openaiCall, openaiReply } from './support/case-server.ts';
import { only, sentCalls, sentResults } from './support/readings.ts';

warnWhenSkipped('what becomes of call ids (A6, H3)');

describe.skipIf(SHARED_FOLDER === undefined)(`ids of calls${SKIPPED}`, () => {
  it('A6: a repeated id is replaced in call and result, an exact duplicate runs once', async () => {
    const tools = recordingTools({ echo: (args) => args });
    const { result, server } = await playCase('A6', 'anthropic', { tools: tools.tools });

    expect(result).toMatchObject({ reason: 'finished', final_content: 'done', tool_calls: 4 });
    expect(tools.calls.map(({ args }) => args)).toEqual([{ v: 'a' }, { v: 'b' }, { v: 'z' }, { v: 'c' }]);
    const calls = sentCalls(server.messages(2));
    expect(calls.map(({ input }) => input)).toEqual([{ v: 'a' }, { v: 'b' }, { v: 'z' }, { v: 'c' }]);
    expect([calls[0]?.id, calls[2]?.id]).toEqual(['tu_1', 'tu_9']);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(4);
    expect(sentResults(server.messages(2))).toEqual(calls.map(({ id, input }) => [id, JSON.stringify(input), false]));
  });

  it('A6: an answer whose calls all come a second time, as a gateway repeats them, runs each once', async () => {
    const twice = [
      ['tool', 'tu_1', 'echo', { v: 'a' }],
      ['tool', 'tu_1', 'echo', { v: 'b' }],
      ['tool', 'tu_2', 'echo', { v: 'c' }],
    ];
    const tools = recordingTools({ echo: (args) => args });
    const replies = [anthropicReply([...twice, ...twice], { stop: 'tool_use' }), anthropicReply([['text', 'done']])];
    const { result } = await playCase({ replies }, 'anthropic', { tools: tools.tools });

    expect(tools.calls.map(({ args }) => args)).toEqual([{ v: 'a' }, { v: 'b' }, { v: 'c' }]);
    expect(result.reason).toBe('finished');
  });

  it('A6: an id that a history of an earlier run holds is replaced as well', async () => {
    const tools = recordingTools({ echo: (args) => args });
    const call = (v: string) => openaiReply([openaiCall('c0', 'echo', JSON.stringify({ v }))], 'tool_calls');
    const first = await playCase({ replies: [call('a'), openaiReply([{ content: 'one' }])] }, 'openai', { tools: tools.tools });
    const replies = [call('b'), openaiReply([{ content: 'two' }])];
    const input = [...first.result.messages, { role: 'user' as const, content: 'again' }];
    const second = await playCase({ replies }, 'openai', { tools: tools.tools, input });

    const calls = sentCalls(second.server.messages(1));
    expect(calls.map(({ input: args }) => args)).toEqual([{ v: 'a' }, { v: 'b' }]);
    expect(calls[0]?.id).toBe('c0');
    expect(calls[1]?.id).not.toBe('c0');
    expect(sentResults(second.server.messages(1)).map(([id]) => id)).toEqual(calls.map(({ id }) => id));
  });

  it('H3: calls whose id is empty, null or missing get ids, and all of them run', async () => {
    const tools = recordingTools({ echo: (args) => args, other: 'other ran' });
    const { result, server, events } = await playCase('H3', 'openai', { tools: tools.tools });

    expect(result).toMatchObject({ reason: 'finished', final_content: 'done' });
    expect(tools.calls.map(({ name, args }) => [name, args])).toEqual([
      ['echo', { v: 1 }],
      ['echo', { v: 2 }],
      ['other', {}],
    ]);
    const ids = sentCalls(server.messages(1)).map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    expect(ids).not.toContain('');
    expect(sentResults(server.messages(1))).toEqual([
      [ids[0], '{"v":1}', false],
      [ids[1], '{"v":2}', false],
      [ids[2], 'other ran', false],
    ]);
    expect(only(events, 'tool_call').map(({ call_id }) => call_id)).toEqual(ids);
  });
});
