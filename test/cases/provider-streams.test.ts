/**
 * Every recorded provider stream as the first reply of a whole run: its calls are answered, or the user writes again, and what is
 * then sent is acceptable to a strict provider.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { recordingTools } from '../../src/runtime/testing/index.ts';
import { SHARED_FOLDER, SKIPPED, sharedPath, warnWhenSkipped } from '../support/shared-inputs.ts';
import { anthropicStream, chatStream } from '../support/wire-server.ts';
import { andThen, goOn, type Provider, playCase } from './support/case-run.ts';
import { anthropicReply, openaiReply } from './support/case-server.ts';
import { only, results, sentCalls, sentResults } from './support/readings.ts';

warnWhenSkipped('every recorded provider stream in a whole run');

type StreamEvent = { type: string } & Record<string, unknown>;

const FOLDERS: Record<Provider, string> = { anthropic: 'anthropic', openai: 'openai-chat' };

function filesOf(provider: Provider): string[] {
  return SHARED_FOLDER === undefined ? ['the recorded streams'] : readdirSync(sharedPath('provider-streams', FOLDERS[provider]));
}

function eventsOf(provider: Provider, file: string): StreamEvent[] {
  const lines = readFileSync(sharedPath('provider-streams', FOLDERS[provider], file), 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as StreamEvent);
}

/** Every name that stands behind a call in a stream, wherever the provider puts it. */
function calledNames(events: readonly StreamEvent[]): string[] {
  const text = JSON.stringify(events);
  const names = [...text.matchAll(/"type":"tool_use"[^}]*?"name":"([^"]+)"|"function":\{[^}]*?"name":"([^"]+)"/g)];
  return [...new Set(names.map(([, anthropic, openai]) => anthropic ?? openai ?? ''))];
}

function wireOf(provider: Provider, events: readonly StreamEvent[]): string {
  return provider === 'anthropic' ? anthropicStream(events) : chatStream(events);
}

describe.each(['anthropic', 'openai'] as const)(`a stream that %s sent, in a whole run${SKIPPED}`, (provider) => {
  it.skipIf(SHARED_FOLDER === undefined).each(filesOf(provider))('%s', async (file) => {
    const events = eventsOf(provider, file);
    const names = calledNames(events);
    const tools = recordingTools(Object.fromEntries(names.map((name) => [name, `${name} ran`])));
    const done = provider === 'anthropic' ? anthropicReply([['text', 'done']]) : openaiReply([{ content: 'done' }]);
    const reasons = names.length > 0 && JSON.stringify(events).includes('"reasoning_content":"');
    const replies = [{ body: { raw: wireOf(provider, events) } }, done, done];
    const played = await playCase({ replies, check: { reasoning: reasons } }, provider, { tools: tools.tools });
    const next = await goOn(played, provider, { tools: tools.tools, input: andThen(played, 'and now?') });

    const refuses = file.includes('refusal');
    expect(played.result.reason).toBe(refuses ? 'refused' : 'finished');
    expect(next.result).toMatchObject({ reason: 'finished', final_content: 'done' });
    expect(only(played.events, 'retry')).toEqual([]);
    expect(only(played.events, 'llm_turn')[0]?.usage.complete).toBe(true);

    const asked = only(played.events, 'tool_call');
    expect(new Set(asked.map(({ name }) => name))).toEqual(new Set(names));
    expect(results(played.events)).toEqual(asked.map(({ call_id, name }) => [call_id, 'ok', `${name} ran`]));
    expect(played.server.seen).toHaveLength(asked.length > 0 ? 3 : 2);
    const last = played.server.messages(played.server.seen.length - 1);
    expect(sentCalls(last).map(({ id, input }) => [id, input])).toEqual(asked.map(({ call_id, arguments: args }) => [call_id, args]));
    expect(sentResults(last).map(([id]) => id)).toEqual(asked.map(({ call_id }) => call_id));
  });
});
