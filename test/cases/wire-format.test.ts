/** The bytes of a stream, and calls in odd pieces: cases G1 and H1. */
import { describe, expect, it } from 'vitest';
import { recordingTools } from '../../src/runtime/testing/index.ts';
import { SHARED_FOLDER, SKIPPED, warnWhenSkipped } from '../support/shared-inputs.ts';
import { anthropicStream } from '../support/wire-server.ts';
import { playCase } from './support/case-run.ts';
import { openaiReply } from './support/case-server.ts';
import { only, sentCalls, sentResults } from './support/readings.ts';

warnWhenSkipped('what becomes of odd streams (G1, H1)');

const TEXT = ['čau ', '🙂 ', '日本'];

/** The same text from Anthropic, with Windows line ends, comments and a byte order mark. */
function anthropicText(): string {
  const events = [
    {
      type: 'message_start',
      message: { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], usage: { input_tokens: 1 } },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ...TEXT.map((text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } },
    { type: 'message_stop' },
  ];
  return `\ufeff: hello\n\n${anthropicStream(events).replaceAll('\n\n', '\n\n: c\n')}`.replaceAll('\n', '\r\n');
}

describe.skipIf(SHARED_FOLDER === undefined)(`streams${SKIPPED}`, () => {
  it.each([
    ['openai', 'G1'],
    ['anthropic', { replies: [{ split: 1, body: { raw: anthropicText() } }] }],
  ] as const)('G1: %s, one byte at a time with CRLF, comments and a BOM, loses no character', async (provider, given) => {
    const { result, events } = await playCase(given, provider);

    expect(result).toMatchObject({ reason: 'finished', final_content: 'čau 🙂 日本' });
    expect(only(events, 'text_delta').map(({ text }) => text)).toEqual(TEXT);
    expect(only(events, 'retry')).toEqual([]);
  });

  it('H1: calls without index stay apart, and a piece without id goes on the last one', async () => {
    const tools = recordingTools({ echo: (args) => args });
    const { result, server } = await playCase('H1', 'openai', { tools: tools.tools });

    expect(result).toMatchObject({ reason: 'finished', final_content: 'done' });
    expect(tools.calls.map(({ args }) => args)).toEqual([{ v: 1 }, { v: 2 }, { v: 3 }]);
    expect(sentCalls(server.messages(1)).map(({ id, input }) => [id, input])).toEqual([
      ['a1', { v: 1 }],
      ['b2', { v: 2 }],
      ['c3', { v: 3 }],
    ]);
    expect(sentResults(server.messages(1)).map(([id, text]) => [id, text])).toEqual([
      ['a1', '{"v":1}'],
      ['b2', '{"v":2}'],
      ['c3', '{"v":3}'],
    ]);
  });

  it('H1: calls without index and without ids are as many as there are names', async () => {
    const tools = recordingTools({ echo: (args) => args });
    const piece = (call: object) => ({ tool_calls: [{ function: call }] });
    const first = openaiReply([
      piece({ name: 'echo', arguments: '{"v":1}' }),
      piece({ name: 'echo', arguments: '{"v"' }),
      piece({ arguments: ':2}' }),
    ]);
    const { server } = await playCase({ replies: [first, openaiReply([{ content: 'done' }])] }, 'openai', { tools: tools.tools });

    expect(tools.calls.map(({ args }) => args)).toEqual([{ v: 1 }, { v: 2 }]);
    expect(new Set(sentCalls(server.messages(1)).map(({ id }) => id)).size).toBe(2);
  });
});
