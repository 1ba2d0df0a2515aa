/** Replies with nothing in them, and parts of replies: case C7. Nothing empty is ever sent (L1). */
import { describe, expect, it } from 'vitest';
import { recordingTools } from '../../src/runtime/testing/index.ts';
import { SHARED_FOLDER, SKIPPED, warnWhenSkipped } from '../support/shared-inputs.ts';
import { andThen, ended, goOn, type Provider, playCase, startCase } from './support/case-run.ts';
import { anthropicReply, type CaseReply, openaiCall, openaiReply, serveCase } from './support/case-server.ts';
import { only } from './support/readings.ts';

warnWhenSkipped('what becomes of empty content (C7)');

const tools = recordingTools({ echo: (args) => args }).tools;

/** Answers that begin and then say nothing for ever. */
const SILENT: Record<Provider, CaseReply> = {
  anthropic: { body: { anthropic: [], noStop: true }, end: 'hang' },
  openai: { body: { openai: [{ d: { role: 'assistant', content: '' } }], done: false }, end: 'hang' },
};
const DONE: Record<Provider, CaseReply> = {
  anthropic: anthropicReply([['text', 'done']]),
  openai: openaiReply([{ content: 'done' }]),
};

describe.skipIf(SHARED_FOLDER === undefined)(`empty content${SKIPPED}`, () => {
  it('C7: an empty text beside a call is left out, an answer of white space is asked for again', async () => {
    const { result, server, events } = await playCase('C7', 'anthropic', { tools });

    expect(result).toMatchObject({ reason: 'finished', final_content: 'done', iterations: 2 });
    expect(server.messages(1)[1]).toMatchObject({ role: 'assistant', content: [{ type: 'tool_use', id: 'tu_1' }] });
    expect(server.messages(2)).toEqual(server.messages(1));
    expect(only(events, 'retry')).toMatchObject([{ error_class: 'empty' }]);
    expect(result.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
  });

  it('C7: content is null only beside calls with a Chat Completions server', async () => {
    const replies = [
      openaiReply([{ role: 'assistant', content: '' }, openaiCall('c0', 'echo', '{"v":1}')], 'tool_calls'),
      openaiReply([{ content: '  \n' }]),
      openaiReply([{ content: null }]),
      DONE.openai,
    ];
    const played = await playCase({ replies }, 'openai', { tools });
    const next = await goOn(played, 'openai', { tools, input: andThen(played, 'and now?') });

    expect(played.result.reason).toBe('empty');
    expect(next.result).toMatchObject({ reason: 'finished', final_content: 'done' });
    const sent = next.server.messages(3).filter(({ role }) => role !== 'system');
    expect(sent.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'go'],
      ['assistant', null],
      ['tool', '{"v":1}'],
      ['user', 'and now?'],
    ]);
    expect(sent[1]?.['tool_calls']).toHaveLength(1);
  });

  it.each(['anthropic', 'openai'] as const)('C7: a stop before the first word of %s leaves no empty message', async (provider) => {
    const server = await serveCase({ replies: [SILENT[provider], DONE[provider]], check: { alternate: true } });
    const started = startCase(server, provider, { tools });
    await expect.poll(() => server.seen.length).toBe(1);
    started.run.stop();
    const stopped = await ended(started);
    const next = await goOn(stopped, provider, { tools, input: andThen(stopped, 'go on') });

    expect(stopped.result).toMatchObject({ reason: 'stopped', final_content: '' });
    expect(stopped.result.messages.map(({ role }) => role)).toEqual(['user']);
    expect(next.result).toMatchObject({ reason: 'finished', final_content: 'done' });
    const sent = server.messages(1).filter(({ role }) => role !== 'system');
    expect(sent).toHaveLength(1);
    expect(JSON.stringify(sent[0]?.content)).toMatch(/go.*go on/);
  });

  it('C7: an answer of thinking alone is nothing said, and is not sent back', async () => {
    const thought = anthropicReply([['thinking', 'hm', 'c2ln']]);
    const played = await playCase({ replies: [thought, thought, DONE.anthropic] }, 'anthropic', { config: { thinking: 'low' } });
    const next = await goOn(played, 'anthropic', { config: { thinking: 'low' }, input: andThen(played, 'say it') });

    expect(played.result).toMatchObject({ reason: 'empty', final_content: '' });
    expect(next.server.messages(2).map(({ role }) => role)).toEqual(['user']);
  });
});
