/**
 * Whatever valid history the loop hands over, both adapters write a request that a strict provider accepts. Judged by rules
 * written down here, and by the shared judge where there is one.
 */
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { anthropicBody } from '../../../src/runtime/models/anthropic-request.ts';
import { openAiBody } from '../../../src/runtime/models/openai-request.ts';
import type { ModelRequest } from '../../../src/runtime/ports.ts';
import type { Message } from '../../../src/runtime/schema/message.ts';
import { toolDefinition } from '../../support/model-calls.ts';
import { randomHistory } from '../../support/random-histories.ts';
import { SHARED_FOLDER, SKIPPED, sharedPath, warnWhenSkipped } from '../../support/shared-inputs.ts';

warnWhenSkipped('the judgement of the shared strict check');

type Json = Record<string, unknown>;
type Judge = (body: unknown, options?: Json) => string[];

const RUNS = { numRuns: 150 };

function toAnthropic(messages: readonly Message[], params: ModelRequest['params'] = {}): Json {
  const request: ModelRequest = { system: 'be \ud800 brief', tools: [toolDefinition('echo')], messages, params };
  return anthropicBody(request, { model: 'm', maxTokens: 8_192, thinkingStyle: 'adaptive', promptCaching: true }) as unknown as Json;
}

function toOpenAi(messages: readonly Message[]): Json {
  const request: ModelRequest = { tools: [toolDefinition('echo')], messages, params: {} };
  return openAiBody(request, {
    model: 'm',
    provider: 'openai',
    maxTokensField: 'max_tokens',
    acceptedCallId: /^.{1,40}$/s,
  }) as unknown as Json;
}

/** Every text in a value. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function partsOf(message: Json | undefined): Json[] {
  return Array.isArray(message?.['content']) ? (message['content'] as Json[]) : [];
}

describe('a request to Anthropic, of any valid history,', () => {
  it('alternates as it must, pairs each call with one result right behind it, and holds no blank text', () => {
    fc.assert(
      fc.property(randomHistory, (history) => {
        const messages = toAnthropic(history)['messages'] as Json[];
        expect([messages[0]?.['role'], messages.at(-1)?.['role']]).toEqual(['user', 'user']);
        for (const [index, message] of messages.entries()) {
          const parts = partsOf(message);
          const asked = parts.filter(({ type }) => type === 'tool_use').map(({ id }) => id);
          const behind = partsOf(messages[index + 1]).slice(0, asked.length);
          expect(parts.length).toBeGreaterThan(0);
          if (asked.length > 0) expect(behind.map((part) => part['tool_use_id'])).toEqual(asked);
          expect(parts.every(({ type, text }) => type !== 'text' || String(text).trim() !== '')).toBe(true);
          expect(parts.map(({ type }) => type === 'tool_use')).toEqual(parts.map((_, at) => at >= parts.length - asked.length));
        }
      }),
      RUNS,
    );
  });

  it('has well-formed texts, accepted and unique ids, and four marks for the cache at most', () => {
    fc.assert(
      fc.property(randomHistory, (history) => {
        const body = toAnthropic(history);
        const ids = (body['messages'] as Json[]).flatMap(partsOf).flatMap(({ type, id }) => (type === 'tool_use' ? [String(id)] : []));
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.every((id) => /^[a-zA-Z0-9_-]+$/.test(id))).toBe(true);
        expect(textsIn(body).filter((text) => /\p{Surrogate}/u.test(text))).toEqual([]);
        expect(JSON.stringify(body).split('"ephemeral"').length - 1).toBeLessThanOrEqual(4);
      }),
      RUNS,
    );
  });

  it('is the same at its beginning when the history goes on, so that the cache holds', () => {
    fc.assert(
      fc.property(randomHistory, (history) => {
        const assistant = history.findLastIndex(({ role }) => role === 'assistant');
        const uncached = (messages: readonly Message[]) =>
          JSON.parse(JSON.stringify(toAnthropic(messages)['messages']).replaceAll(',"cache_control":{"type":"ephemeral"}', '')) as Json[];
        const before = uncached(history.slice(0, assistant));
        // What ends with a turn of nobody gets a filler that a longer history does not need.
        fc.pre(JSON.stringify(before.at(-1)).includes('(no text)') === false);
        expect(uncached(history).slice(0, before.length - 1)).toEqual(before.slice(0, -1));
      }),
      RUNS,
    );
  });
});

describe('a request to a Chat Completions server, of any valid history,', () => {
  it('answers each call once before anything else is said, and holds no empty message', () => {
    fc.assert(
      fc.property(randomHistory, (history) => {
        let open: unknown[] = [];
        for (const message of toOpenAi(history)['messages'] as Json[]) {
          const calls = (message['tool_calls'] ?? []) as Json[];
          if (message['role'] === 'tool') expect(open.shift()).toBe(message['tool_call_id']);
          else expect(open).toEqual([]);
          if (message['content'] === null) expect(calls.length).toBeGreaterThan(0);
          else expect(textsIn(message['content']).join('').trim()).not.toBe('');
          open = [...open, ...calls.map(({ id }) => id)];
        }
        expect(open).toEqual([]);
      }),
      RUNS,
    );
  });
});

describe.skipIf(SHARED_FOLDER === undefined)(`the strict judge finds nothing wrong with any valid history${SKIPPED}`, () => {
  let judges: { checkAnthropic: Judge; checkOpenAI: Judge };

  beforeAll(async () => {
    judges = await import(pathToFileURL(sharedPath('cases', 'tools', 'strict-check.mjs')).href);
  });

  it('as a request to Anthropic', () => {
    fc.assert(
      fc.property(randomHistory, (history) => {
        expect(judges.checkAnthropic(toAnthropic(history))).toEqual([]);
      }),
      RUNS,
    );
  });

  it('as a request to Anthropic that asks for thinking, where each call was thought about', () => {
    const thought = { type: 'thinking' as const, text: 'hm', signature: 'c2ln', provider: 'anthropic' };
    const thoughtful = randomHistory.map((history) =>
      history.map((message) => (message.role === 'assistant' ? { ...message, content: [thought, ...message.content] } : message)),
    );
    fc.assert(
      fc.property(thoughtful, (history) => {
        const body = toAnthropic(history, { thinking: 'medium', temperature: 0 });
        expect(body).toMatchObject({ thinking: { type: 'adaptive' } });
        expect(judges.checkAnthropic(body)).toEqual([]);
      }),
      RUNS,
    );
  });

  it('as a request to a Chat Completions server', () => {
    fc.assert(
      fc.property(randomHistory, (history) => {
        expect(judges.checkOpenAI(toOpenAi(history))).toEqual([]);
      }),
      RUNS,
    );
  });
});
