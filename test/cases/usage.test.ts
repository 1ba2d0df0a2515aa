/** Tokens are counted once: cases E1 and E3. */
import { describe, expect, it } from 'vitest';
import { isDurable, type RunEvent } from '../../src/runtime/schema/event.ts';
import { applyEvent } from '../../src/runtime/state/apply-event.ts';
import { initialState } from '../../src/runtime/state/run-state.ts';
import { recordingTools } from '../../src/runtime/testing/index.ts';
import { SHARED_FOLDER, SKIPPED, warnWhenSkipped } from '../support/shared-inputs.ts';
import { playCase } from './support/case-run.ts';
import { anthropicReply, errorReply, openaiReply, sharedCase } from './support/case-server.ts';
import { only } from './support/readings.ts';

warnWhenSkipped('how usage is counted (E1, E3)');

const CALL_USAGE = { input_tokens: 14, output_tokens: 64, cache_read_tokens: 120_000, cache_write_tokens: 8_012, complete: true };

/** What the state says that the last request and its reply took. */
function contextTokens(events: readonly RunEvent[]): number {
  return events.filter(isDurable).reduce(applyEvent, initialState('any')).context_tokens;
}

describe.skipIf(SHARED_FOLDER === undefined)(`usage${SKIPPED}`, () => {
  it('E1: numbers that start and end of a stream both tell count once', async () => {
    const { result, events } = await playCase('E1', 'anthropic');

    expect(result).toMatchObject({ reason: 'finished', final_content: 'hi', usage: CALL_USAGE });
    expect(only(events, 'llm_turn').map(({ usage }) => usage)).toEqual([CALL_USAGE]);
    expect(contextTokens(events)).toBe(128_026 + 64);
  });

  it('E1: a run adds its calls up, and the size of the context is that of the last one', async () => {
    const [last = {}] = sharedCase('E1').replies;
    const numbers = { input_tokens: 14, cache_read_input_tokens: 120_000, cache_creation_input_tokens: 8_012 };
    const first = anthropicReply([['tool', 'tu_1', 'echo', {}]], {
      stop: 'tool_use',
      usageStart: { ...numbers, output_tokens: 4 },
      usage: { ...numbers, output_tokens: 64 },
    });
    const tools = recordingTools({ echo: 'x' }).tools;
    const { result, events } = await playCase({ replies: [first, last] }, 'anthropic', { tools });

    expect(result.usage).toEqual({
      input_tokens: 28,
      output_tokens: 128,
      cache_read_tokens: 240_000,
      cache_write_tokens: 16_024,
      complete: true,
    });
    expect(contextTokens(events)).toBe(128_090);
  });

  it('E3: chunks without choices, choice or delta are survived, and their usage counts', async () => {
    const { result, events } = await playCase('E3', 'openai');

    expect(result).toMatchObject({
      reason: 'finished',
      final_content: 'ok',
      usage: { input_tokens: 3, output_tokens: 2, cache_read_tokens: 0, cache_write_tokens: 0, complete: true },
    });
    expect(only(events, 'retry')).toEqual([]);
  });

  it.each([
    ['says nothing of its tokens', [openaiReply([{ content: 'hi' }])]],
    ['fails before it says anything', [errorReply(400, 'invalid_request_error', 'no')]],
  ])('a call of unknown price that %s leaves the cost unknown, never 0', async (_how, replies) => {
    const { result, events } = await playCase({ replies }, 'openai');

    expect(result.usage).toMatchObject({ input_tokens: 0, output_tokens: 0, complete: false });
    expect(result.cost_usd).toBeNull();
    expect(only(events, 'llm_turn')[0]?.cost_usd).toBeNull();
  });
});
