/** Whatever a provider answers, in whatever order: every request stays acceptable, and the run is sound to its end (L1, L3, L9). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SHARED_FOLDER, SKIPPED, warnWhenSkipped } from '../support/shared-inputs.ts';
import { andThen, type CaseOptions, goOn, type Provider, playCase } from './support/case-run.ts';
import { anthropicReply, type CaseReply, errorReply, openaiReply } from './support/case-server.ts';
import { checkedTools } from './support/checked-tools.ts';
import { only } from './support/readings.ts';

warnWhenSkipped('what any answers of a provider lead to');

const text = fc.constantFrom('', ' \n', 'a word', 'čau 🙂', 'half \ud83d', 'ends with a blank ');
const id = fc.constantFrom('', 'c1', 'c1', 'c2', 'c.3 ü', 'x'.repeat(70));
const name = fc.constantFrom('echo', 'need', 'need', 'nobody', 'ECHO', 'not a name!', '');
const args = fc.constantFrom('', '{}', '{"p":1}', '{"p":"x"}', '{p:1,}', '[1]', 'null', '{"p":1', '{"p":1,"text":"\\ud83d"}');

const failure: fc.Arbitrary<CaseReply> = fc.constantFrom(
  errorReply(429, 'rate_limit_error', 'busy', { 'retry-after-ms': '1' }),
  errorReply(500, 'api_error', 'oops'),
  { headers: { 'content-type': 'text/html' }, body: '<html>' },
  { body: '' },
  { body: 'data: {broken\n\n' },
  { end: 'cut' },
);

const anthropicBlock = fc.oneof(
  { weight: 2, arbitrary: text.map((value) => ['text', value]) },
  { weight: 3, arbitrary: fc.tuple(id, name, args).map((call) => ['tool', ...call]) },
  { weight: 1, arbitrary: fc.tuple(text, fc.constantFrom('', 'c2ln')).map((thought) => ['thinking', ...thought]) },
  { weight: 1, arbitrary: fc.constant(['redacted', 'ZGF0YQ==']) },
);
const anthropicStop = fc.constantFrom('end_turn', 'tool_use', 'tool_use', 'max_tokens', 'refusal', 'stop_sequence', 'new_reason');

const openaiDelta = fc.oneof(
  text.map((content) => ({ content })),
  text.map((reasoning_content) => ({ reasoning_content })),
  fc
    .tuple(fc.constantFrom(undefined, 0, 1, 2), fc.option(id, { nil: undefined }), name, args)
    .map(([index, callId, called, value]) => ({ tool_calls: [{ index, id: callId, function: { name: called, arguments: value } }] })),
);
const openaiFinish = fc.constantFrom('stop', 'tool_calls', 'tool_calls', 'length', 'content_filter', null, 'new_reason');

const ANSWERS: Record<Provider, fc.Arbitrary<CaseReply>> = {
  anthropic: fc
    .tuple(fc.array(anthropicBlock, { maxLength: 4 }), anthropicStop, fc.boolean())
    .map(([blocks, stop, cut]) => anthropicReply(blocks, { stop, noStop: cut && blocks.length > 2 })),
  openai: fc.tuple(fc.array(openaiDelta, { maxLength: 4 }), openaiFinish).map(([deltas, finish]) => openaiReply(deltas, finish)),
};

/** What ends every run in which the arbitrary answers run out. */
const ENOUGH: Record<Provider, readonly CaseReply[]> = {
  anthropic: Array.from({ length: 12 }, () => anthropicReply([['text', 'done']])),
  openai: Array.from({ length: 12 }, () => openaiReply([{ content: 'done' }])),
};

describe.skipIf(SHARED_FOLDER === undefined)(`any answers of a provider${SKIPPED}`, () => {
  it.each(['anthropic', 'openai'] as const)('keep requests acceptable and runs sound: %s', async (provider) => {
    const answer = fc.oneof({ weight: 4, arbitrary: ANSWERS[provider] }, { weight: 1, arbitrary: failure });
    const property = fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 6 }), async (replies) => {
      const { tools, ran } = checkedTools({ echo: {}, need: { properties: { p: { type: 'number' } }, required: ['p'] } });
      const options: CaseOptions = { tools, config: { max_attempts: 4, max_iterations: 8 } };
      const played = await playCase({ replies: [...replies, ...ENOUGH[provider]] }, provider, options);
      const next = await goOn(played, provider, { ...options, input: andThen(played, 'and now?') });

      expect(played.server.seen.flatMap(({ problems }) => problems)).toEqual([]);
      expect(ran).toHaveLength(played.result.tool_calls + next.result.tool_calls);
      const outcomes = [...only(played.events, 'tool_result'), ...only(next.events, 'tool_result')].map(({ outcome }) => outcome);
      expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(ran.length);
      for (const [tool, value] of ran) if (tool === 'need') expect(value).toMatchObject({ p: expect.any(Number) });
      expect(played.result.error?.code).not.toBe('internal');
    });
    await fc.assert(property, { numRuns: 60 });
  });
});
