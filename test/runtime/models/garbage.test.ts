/** A provider's JSON is a promise: whatever stands in any place of its stream, the reply that is built of it fits the port. */
import { describe, expect, it } from 'vitest';
import { checkedChunk, checkedReply } from '../../../src/runtime/loop/check-reply.ts';
import { AnthropicReply } from '../../../src/runtime/models/anthropic-reply.ts';
import { parseCallArguments } from '../../../src/runtime/models/call-arguments.ts';
import { OpenAiReply } from '../../../src/runtime/models/openai-reply.ts';
import type { ReplyBuilder } from '../../../src/runtime/models/provider-call.ts';
import { brokenArgumentsText } from '../../../src/runtime/tools/call-problems.ts';

const GARBAGE: readonly unknown[] = [
  null,
  5,
  -1,
  Number.POSITIVE_INFINITY,
  'text',
  '',
  [],
  {},
  [null],
  true,
  { a: { b: 1 } },
  'constructor',
  undefined,
];

const ANTHROPIC: readonly object[] = [
  {
    type: 'message_start',
    message: { id: 'm', role: 'assistant', usage: { input_tokens: 3, output_tokens: 1, cache_read_input_tokens: 2 } },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'c2ln' } },
  { type: 'content_block_start', index: 1, content_block: { type: 'redacted_thinking', data: 'x' } },
  { type: 'content_block_start', index: 2, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 2, delta: { type: 'text_delta', text: 'hi' } },
  { type: 'content_block_start', index: 3, content_block: { type: 'tool_use', id: 'tu_1', name: 't', input: {} } },
  { type: 'content_block_delta', index: 3, delta: { type: 'input_json_delta', partial_json: '{"p":1}' } },
  { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 7 } },
];
const OPENAI: readonly object[] = [
  { choices: [{ index: 0, delta: { role: 'assistant', content: 'hi', reasoning_content: 'hm' }, finish_reason: null }] },
  {
    choices: [
      { index: 0, delta: { tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 't', arguments: '{"p":1}' } }] } },
    ],
  },
  { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
  { choices: [], usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7, prompt_tokens_details: { cached_tokens: 1 } } },
];

type Path = readonly string[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, item]) => pathsOf(item, [...path, key]))];
}

function replaced(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [...value] : { ...(value as object) };
  return Object.assign(copy, { [key]: replaced((value as Record<string, unknown>)[key], rest, by) });
}

/** Everything that the events give, each piece checked; what the server itself calls an error may be thrown. */
function play(builder: ReplyBuilder, events: readonly unknown[]): void {
  for (const event of events) for (const chunk of builder.take(event)) checkedChunk(chunk);
  const reply = checkedReply(builder.finish());
  expect(JSON.stringify(reply)).not.toMatch(/undefined|\[object/);
}

it.each([60_000, 300])('arguments of %i levels stay a text, so that nothing runs them and nothing walks them', (levels) => {
  const text = `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
  const { arguments: args, arguments_text } = parseCallArguments(text);
  expect(args).toEqual({});
  expect(arguments_text).toBe(text);
  const definition = { name: 't', description: '', input_schema: { type: 'object' }, effect: 'read' as const, interruptible: true };
  expect(brokenArgumentsText(definition, text)).toContain('nested deeper than 200 levels');
});

describe.each([
  ['Anthropic', ANTHROPIC, () => new AnthropicReply(() => true)],
  ['Chat Completions', OPENAI, () => new OpenAiReply('openai', () => true)],
] as const)('a stream of %s', (_name, events, builder) => {
  it('gives a reply that fits with anything in any place', () => {
    let streams = 0;
    for (const path of pathsOf(events)) {
      if (path.length === 0) continue;
      for (const garbage of GARBAGE) {
        play(builder(), replaced(events, path, garbage) as unknown[]);
        streams += 1;
      }
    }
    expect(streams).toBeGreaterThan(400);
  });

  it('gives a reply that fits with any event left out, twice or in another place', () => {
    for (const [at, event] of events.entries()) {
      play(builder(), events.toSpliced(at, 1));
      play(builder(), events.toSpliced(at, 0, event));
      play(builder(), [event, ...events.toSpliced(at, 1)]);
    }
  });
});
