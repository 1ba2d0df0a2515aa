/** Promise L10: no secret of ours leaves. */
import { describe, expect, it } from 'vitest';
import { memoryJournal } from '../../../src/runtime/memory-journal.ts';
import type { ModelChunk } from '../../../src/runtime/ports.ts';
import { deferred, fail, recordingTools, scriptedModel, text, toolCall } from '../../../src/runtime/testing/index.ts';
import { only, play, said, start } from './play.ts';

const KEY = 'sk-test-0123456789abcdef';
const model = { secrets: [KEY] };

describe('a known key', () => {
  it('is replaced in every event, in the journal, in the history and in what the model is sent', async () => {
    const journal = memoryJournal();
    const seen: unknown[] = [];
    const tools = recordingTools({ env: `KEY=${KEY}` });
    const played = await play([toolCall('env', { key: KEY }, { text: `the key ${KEY}` }), text(`again ${KEY}`)], {
      model,
      tools,
      journal,
      input: `my key is ${KEY}`,
      agent: { system: `Use ${KEY}.`, hooks: { onEvent: (event) => seen.push(event) } },
    });
    for (const everything of [seen, played.all, await journal.read(1), played.result, played.model.requests]) {
      expect(JSON.stringify(everything)).not.toContain(KEY);
    }
    expect(said(played.model, 1).at(-1)).toContain('KEY=[redacted]');
    expect(tools.calls[0]?.args).toEqual({ key: '[redacted]' });
  });

  it('is replaced in a stream although it comes in pieces, and the rest of the text is all there', async () => {
    const { all } = await play([text(`a ${KEY} b sk-tes`, { chunk: 5 })], { model });
    const shown = only(all, 'text_delta').map((event) => event.text);
    expect(shown.join('')).toBe('a [redacted] b sk-tes');
    expect(only(all, 'tool_input_delta')).toEqual([]);
  });

  it('is replaced in what a tool prints in pieces', async () => {
    const tools = recordingTools({
      print: (_args, context) => {
        for (const piece of [KEY.slice(0, 9), KEY.slice(9), ' and s']) context.output(piece);
        context.emit('note', { key: KEY });
        return 'ok';
      },
    });
    const { all } = await play([toolCall('print'), text('end')], { model, tools });
    expect(
      only(all, 'tool_output')
        .map((event) => event.text)
        .join(''),
    ).toBe('[redacted] and s');
    expect(only(all, 'custom')[0]?.data).toEqual({ key: '[redacted]' });
  });

  it('is replaced in the message of a provider error', async () => {
    const { result } = await play([fail('auth', { message: `bad key ${KEY}` })], { model });
    expect(result.error?.message).toBe('bad key [redacted]');
  });

  it('under the signature of a thinking block drops the block, with a warning', async () => {
    const { all, result } = await play([{ thinking: `hm ${KEY}`, signature: 'c2ln', text: 'ok' }], { model });
    expect(only(all, 'warning')).toMatchObject([{ code: 'thinking_dropped' }]);
    expect(result.messages.at(-1)?.content.map((block) => block.type)).toEqual(['text']);
  });

  it('under a signature in the input drops the block too, with a warning', async () => {
    const thought = { type: 'thinking' as const, text: `hm ${KEY}`, signature: 'c2ln', provider: 'scripted' };
    const input = [
      { role: 'user' as const, content: 'hi' },
      { role: 'assistant' as const, content: [thought, { type: 'text' as const, text: 'ok' }] },
      { role: 'assistant' as const, content: [thought] },
      { role: 'user' as const, content: 'more' },
    ];
    const { all, model: asked } = await play([text('end')], { model, input });
    expect(only(all, 'warning')).toMatchObject([{ code: 'thinking_dropped' }]);
    expect(asked.requests[0]?.messages.map(({ content }) => content.map(({ type }) => type))).toEqual([['text'], ['text'], ['text']]);
  });

  it('of a model that is put in later is known from then on', async () => {
    const gate = deferred();
    const tools = recordingTools({ look: { gate: gate.promise } });
    const other = scriptedModel([text(`the other key is ${KEY}`)], { secrets: [KEY] });
    const { run } = start([toolCall('look')], { tools, agent: { models: () => other } });
    await tools.whenStarted('look');
    run.modifyConfig({ model: 'other' });
    gate.resolve();
    expect((await run.result).final_content).toBe('the other key is [redacted]');
  });

  it('of the caller is replaced too, and one of fewer than 8 characters is taken for a placeholder', async () => {
    const { result } = await play([text('abcdefgh and dummy')], { secrets: ['abcdefgh', 'dummy'] });
    expect(result.final_content).toBe('[redacted] and dummy');
  });
});

describe('a run without keys', () => {
  it('shows a stream just as it comes', async () => {
    async function* respond(): AsyncGenerator<ModelChunk> {
      for (const piece of ['a', 'b']) yield { type: 'text_delta', text: piece };
      const usage = { input_tokens: 1, output_tokens: 1, cache_read_tokens: 0, cache_write_tokens: 0, complete: true };
      yield { type: 'reply', reply: { content: [{ type: 'text', text: 'ab' }], stop_reason: 'end_turn', usage } };
    }
    const { events } = start([], { agent: { model: { provider: 'own', model: 'x', respond } } });
    expect(only(await events, 'text_delta').map((event) => event.text)).toEqual(['a', 'b']);
  });
});
