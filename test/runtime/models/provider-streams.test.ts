/**
 * Streams that real providers sent, played through the real SDKs. What must come out is worked out here from the events
 * alone, in the plainest way, and not by the code under test.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { anthropicModel } from '../../../src/runtime/models/anthropic-model.ts';
import { openaiCompatibleModel } from '../../../src/runtime/models/openai-model.ts';
import type { ModelReply } from '../../../src/runtime/ports.ts';
import { callModel } from '../../support/model-calls.ts';
import { SHARED_FOLDER, SKIPPED, sharedPath, warnWhenSkipped } from '../../support/shared-inputs.ts';
import { anthropicStream, chatStream, startWireServer, type WireServer } from '../../support/wire-server.ts';

warnWhenSkipped('every recorded provider stream');

/** What a reply says, without its division into blocks. */
interface Gist {
  text: string;
  thinking: string;
  signatures: string[];
  calls: { id: string; name: string; arguments: unknown }[];
  stop: string | undefined;
  /** Input without cache, output, cache read, cache write. */
  tokens: [number, number, number, number];
}

type Json = Record<string, unknown>;

function emptyGist(): Gist {
  return { text: '', thinking: '', signatures: [], calls: [], stop: undefined, tokens: [0, 0, 0, 0] };
}

function gistOf(reply: ModelReply): Gist {
  const gist = { ...emptyGist(), stop: reply.raw_stop_reason };
  const { usage } = reply;
  gist.tokens = [usage.input_tokens, usage.output_tokens, usage.cache_read_tokens, usage.cache_write_tokens];
  for (const block of reply.content) {
    if (block.type === 'text') gist.text += block.text;
    if (block.type === 'thinking') gist.thinking += block.text;
    if (block.type === 'thinking' && block.signature !== undefined) gist.signatures.push(block.signature);
    if (block.type === 'tool_use') gist.calls.push({ id: block.call_id, name: block.name, arguments: block.arguments });
  }
  return gist;
}

/** The object in a field; empty where there is none. */
function at(value: unknown, key: string): Json {
  const inner = (value as Json | undefined)?.[key];
  return (typeof inner === 'object' && inner !== null ? inner : {}) as Json;
}

function gistOfAnthropic(events: readonly Json[]): Gist {
  const gist = emptyGist();
  const usage: Json = {};
  const texts: string[] = [];
  for (const event of events) {
    const fresh = event['type'] === 'message_start' ? at(event['message'], 'usage') : at(event, 'usage');
    for (const [key, value] of Object.entries(fresh)) if (value !== null) usage[key] = value;
    const started = at(event, 'content_block');
    if (started['type'] === 'tool_use') gist.calls.push({ id: String(started['id']), name: String(started['name']), arguments: {} });
    const delta = at(event, 'delta');
    gist.text += delta['text'] ?? '';
    gist.thinking += delta['thinking'] ?? '';
    if (delta['signature'] !== undefined) gist.signatures.push(String(delta['signature']));
    if (delta['partial_json'] !== undefined) texts[gist.calls.length - 1] = (texts[gist.calls.length - 1] ?? '') + delta['partial_json'];
    if (delta['stop_reason'] !== undefined) gist.stop = String(delta['stop_reason']);
  }
  addArguments(gist, texts);
  const keys = ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'];
  return { ...gist, tokens: keys.map((key) => Number(usage[key] ?? 0)) as Gist['tokens'] };
}

function gistOfChat(chunks: readonly Json[]): Gist {
  const gist = emptyGist();
  const texts: string[] = [];
  for (const chunk of chunks) {
    if (chunk['usage']) gist.tokens = chatTokens(at(chunk, 'usage'));
    const choice = ((chunk['choices'] ?? []) as Json[])[0];
    const delta = at(choice, 'delta');
    gist.text += delta['content'] ?? '';
    gist.thinking += delta['reasoning_content'] ?? '';
    if (choice?.['finish_reason']) gist.stop = String(choice['finish_reason']);
    for (const entry of (delta['tool_calls'] ?? []) as Json[]) {
      const index = Number(entry['index']);
      if (entry['id']) gist.calls[index] = { id: String(entry['id']), name: String(at(entry, 'function')['name']), arguments: {} };
      texts[index] = (texts[index] ?? '') + at(entry, 'function')['arguments'];
    }
  }
  addArguments(gist, texts);
  return gist;
}

function addArguments(gist: Gist, texts: readonly string[]): void {
  for (const [index, call] of gist.calls.entries()) call.arguments = JSON.parse(texts[index] || '{}');
}

/** The provider's own total minus its prompt is what was put out; that holds for those that count reasoning apart, too. */
function chatTokens(usage: Json): Gist['tokens'] {
  const prompt = Number(usage['prompt_tokens']);
  const cached = Number(at(usage, 'prompt_tokens_details')['cached_tokens'] ?? 0);
  return [prompt - cached, Number(usage['total_tokens']) - prompt, cached, 0];
}

function filesOf(folder: string): string[] {
  return SHARED_FOLDER === undefined ? ['the recorded streams'] : readdirSync(sharedPath('provider-streams', folder));
}

function eventsOf(folder: string, file: string): (Json & { type: string })[] {
  const lines = readFileSync(sharedPath('provider-streams', folder, file), 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line));
}

let server: WireServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

describe('a stream that Anthropic sent comes out as its events say', () => {
  it.skipIf(SHARED_FOLDER === undefined).each(filesOf('anthropic'))(`%s${SKIPPED}`, async (file) => {
    const events = eventsOf('anthropic', file);
    server = await startWireServer([{ body: anthropicStream(events) }]);

    const { reply, chunks } = await callModel(anthropicModel({ model: 'm', apiKey: 'k', baseUrl: server.url }));

    const expected = gistOfAnthropic(events);
    expect(gistOf(reply)).toEqual(expected);
    expect(chunks.map((chunk) => (chunk.type === 'text_delta' ? chunk.text : '')).join('')).toBe(expected.text);
    expect(reply.usage.complete).toBe(true);
  });
});

describe('a stream that a Chat Completions server sent comes out as its events say', () => {
  it.skipIf(SHARED_FOLDER === undefined).each(filesOf('openai-chat'))(`%s${SKIPPED}`, async (file) => {
    const chunks = eventsOf('openai-chat', file);
    server = await startWireServer([{ body: chatStream(chunks) }]);

    const outcome = await callModel(openaiCompatibleModel({ model: 'm', baseUrl: server.url }));

    const expected = gistOfChat(chunks);
    expect(gistOf(outcome.reply)).toEqual(expected);
    expect(outcome.chunks.map((chunk) => (chunk.type === 'thinking_delta' ? chunk.text : '')).join('')).toBe(expected.thinking);
    expect(outcome.reply.usage.complete).toBe(true);
  });
});
