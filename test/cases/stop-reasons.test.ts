/** What a reply says of itself against what is in it: cases C1, C2 and C4 (L1, L3). */
import { describe, expect, it } from 'vitest';
import { recordingTools } from '../../src/runtime/testing/index.ts';
import { SHARED_FOLDER, SKIPPED, warnWhenSkipped } from '../support/shared-inputs.ts';
import { andThen, goOn, type PlayedCase, type Provider, playCase } from './support/case-run.ts';
import { anthropicReply, type CaseReply, openaiCall, openaiReply, sharedCase } from './support/case-server.ts';
import { only, sentResults } from './support/readings.ts';

warnWhenSkipped('what becomes of stop reasons (C1, C2, C4)');

function echo() {
  return recordingTools({ echo: (args) => args });
}

function done(provider: Provider): CaseReply {
  return provider === 'anthropic' ? anthropicReply([['text', 'done']]) : openaiReply([{ content: 'done' }]);
}

/** The next user turn after a run, against the server of that run: its last message as it was sent. */
async function nextTurn(played: PlayedCase, provider: Provider) {
  const next = await goOn(played, provider, { tools: echo().tools, input: andThen(played, 'and now?') });
  expect(next.result).toMatchObject({ reason: 'finished', final_content: 'done' });
  return next.server.messages(next.server.seen.length - 1);
}

describe.skipIf(SHARED_FOLDER === undefined)(`stop reasons${SKIPPED}`, () => {
  it('C1: calls that are there run, whether the finish reason is stop, missing or unknown', async () => {
    const tools = echo();
    const { result, server } = await playCase('C1', 'openai', { tools: tools.tools });

    expect(result).toMatchObject({ reason: 'finished', final_content: 'done', iterations: 4 });
    expect(tools.calls.map(({ args }) => args)).toEqual([{ v: 1 }, { v: 2 }, { v: 3 }]);
    expect(sentResults(server.messages(3))).toEqual([
      ['c0', '{"v":1}', false],
      ['c1', '{"v":2}', false],
      ['c2', '{"v":3}', false],
    ]);
  });

  it.each(['end_turn', 'stop_sequence', 'something_new'])('C1: calls of Anthropic run as well when the stop reason is %s', async (stop) => {
    const tools = echo();
    const first = anthropicReply([['tool', 'tu_1', 'echo', { v: 1 }]], { stop });
    const { result } = await playCase({ replies: [first, done('anthropic')] }, 'anthropic', { tools: tools.tools });

    expect(tools.calls).toHaveLength(1);
    expect(result.reason).toBe('finished');
  });

  const announced = {
    anthropic: () => sharedCase('C2').replies,
    openai: () => Array.from({ length: 6 }, () => openaiReply([], 'tool_calls')),
  };

  it.each(['anthropic', 'openai'] as const)('C2: %s announces a call and sends none: asked once more, then empty', async (provider) => {
    const tools = echo();
    const replies = [...announced[provider]().slice(0, 2), done(provider)];
    const played = await playCase({ replies }, provider, { tools: tools.tools });

    expect(played.result).toMatchObject({ reason: 'empty', final_content: '', iterations: 1 });
    expect(played.server.seen).toHaveLength(2);
    expect(only(played.events, 'retry')).toMatchObject([{ error_class: 'empty', wait_ms: 0 }]);
    expect(played.result.messages.map(({ role }) => role)).toEqual(['user']);
    expect((await nextTurn(played, provider)).filter(({ role }) => role !== 'system').map(({ role }) => role)).toEqual(['user']);
  });

  it('C2: a call that comes when it is asked once more runs', async () => {
    const tools = echo();
    const [silent] = sharedCase('C2').replies;
    const replies = [silent ?? {}, anthropicReply([['tool', 'tu_1', 'echo', { v: 1 }]], { stop: 'tool_use' }), done('anthropic')];
    const { result } = await playCase({ replies }, 'anthropic', { tools: tools.tools });

    expect(tools.calls).toHaveLength(1);
    expect(result).toMatchObject({ reason: 'finished', iterations: 2 });
  });

  it('C4: a refusal without content ends the run as refused, and the next turn is a valid request', async () => {
    const played = await playCase('C4', 'anthropic', { tools: echo().tools });

    expect(played.result).toMatchObject({ reason: 'refused', final_content: '', iterations: 2 });
    expect(played.events.at(-1)).toMatchObject({ type: 'done', reason: 'refused' });
    expect(only(played.events, 'llm_turn').at(-1)).toMatchObject({ message: null, stop_reason: 'refusal', raw_stop_reason: 'refusal' });
    const sent = await nextTurn(played, 'anthropic');
    expect(sent.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(sent.at(-1)?.content).toMatchObject([{ type: 'tool_result' }, { type: 'text', text: 'and now?' }]);
  });

  it.each([
    ['a content filter', [], 'content_filter', ''],
    ['a refusal in words', [{ refusal: 'I will not ' }, { refusal: 'do that.' }], 'stop', 'I will not do that.'],
  ])('C4: %s of a Chat Completions server ends the run as refused', async (_how, deltas, finish, said) => {
    const replies = [openaiReply([openaiCall('c0', 'echo', '{}')], 'tool_calls'), openaiReply(deltas, finish), done('openai')];
    const played = await playCase({ replies }, 'openai', { tools: echo().tools });

    expect(played.result).toMatchObject({ reason: 'refused', final_content: said });
    await nextTurn(played, 'openai');
  });
});
