/** A provider that fails, breaks off, or falls silent: cases F1, F4, F6 and F8 (L2, L9). */
import { describe, expect, it } from 'vitest';
import { deferred, recordingTools, waitForEvent } from '../../src/runtime/testing/index.ts';
import { SHARED_FOLDER, SKIPPED, warnWhenSkipped } from '../support/shared-inputs.ts';
import { ended, goOn, modelAt, playCase, startCase } from './support/case-run.ts';
import { anthropicReply, type CaseReply, errorReply, openaiReply, serveCase, sharedCase } from './support/case-server.ts';
import { only } from './support/readings.ts';

warnWhenSkipped('how a flaky provider is survived (F1, F4, F6, F8)');

const DONE = anthropicReply([['text', 'done']]);

/** The nth reply of a case, from 1. */
function replyOf(id: string, nth: number): CaseReply {
  const reply = sharedCase(id).replies[nth - 1];
  if (reply === undefined) throw new Error(`${id} has no reply ${nth}`);
  return reply;
}

/** `fetch`, and a promise for the first bytes of its first answer. */
function noticingFetch() {
  const began = deferred();
  const noticing: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const notice = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        controller.enqueue(chunk);
        began.resolve();
      },
    });
    return new Response(response.body?.pipeThrough(notice), response);
  };
  return { fetch: noticing, began: began.promise };
}

describe.skipIf(SHARED_FOLDER === undefined)(`F1: an overload inside a 200 stream${SKIPPED}`, () => {
  it('is retried with backoff like a 529, and the text of failed attempts is void', async () => {
    const { result, events, waits, server } = await playCase('F1', 'anthropic');

    expect(result).toMatchObject({ reason: 'finished', final_content: 'Hello world', iterations: 1 });
    expect(server.seen).toHaveLength(3);
    expect(waits).toEqual([750, 1_500]);
    expect(only(events, 'retry').map(({ attempt, error_class, wait_ms }) => [attempt, error_class, wait_ms])).toEqual([
      [1, 'overloaded', 750],
      [2, 'overloaded', 1_500],
    ]);
    expect(only(events, 'text_delta').map(({ attempt, text }) => [attempt, text])).toEqual([
      [2, 'Hello wo'],
      [3, 'Hello world'],
    ]);
    expect(only(events, 'llm_turn')).toMatchObject([{ attempts: 3, message: { content: [{ text: 'Hello world' }] } }]);
    expect(JSON.stringify(result.messages)).not.toContain('"Hello wo"');
  });

  it('counts the usage of failed attempts apart from that of the reply', async () => {
    const { result, events } = await playCase('F1', 'anthropic');

    const spent = only(events, 'retry').map(({ usage }) => usage);
    expect(spent).toMatchObject([
      { input_tokens: 0, complete: false },
      { input_tokens: 11, output_tokens: 1, complete: false },
    ]);
    expect(only(events, 'llm_turn')[0]?.usage).toMatchObject({ input_tokens: 11, output_tokens: 7, complete: true });
    expect(result.usage).toMatchObject({ input_tokens: 22, output_tokens: 8, complete: false });
  });

  it('ends the run as an error when the attempts are used up', async () => {
    const { result, server, events } = await playCase('F1', 'anthropic', { config: { max_attempts: 2 } });

    expect(result).toMatchObject({ reason: 'error', final_content: '', error: { code: 'model_overloaded', retryable: true } });
    expect(server.seen).toHaveLength(2);
    expect(result.messages.map(({ role }) => role)).toEqual(['user']);
    expect(events.at(-1)).toMatchObject({ type: 'done', reason: 'error' });
  });
});

describe.skipIf(SHARED_FOLDER === undefined)(`F4: a provider that asks to wait${SKIPPED}`, () => {
  it('for days is neither slept through nor hurried: the error tells how long', async () => {
    const { result, waits, server } = await playCase('F4', 'anthropic');

    expect(result).toMatchObject({
      reason: 'error',
      error: { code: 'model_rate_limit', status: 429, retry_after_ms: 277_403_000, message: expect.stringMatching(/quota.*wait 277403 s/) },
    });
    expect(waits).toEqual([]);
    expect(server.seen).toHaveLength(1);
  });

  it('is not waited for once the run is stopped, and the next run is served', async () => {
    const server = await serveCase({ replies: sharedCase('F4').replies.slice(1) });
    const started = startCase(server, 'anthropic', { holdRetries: true });
    await started.timers.whenSet('retry_wait');
    expect(started.timers.pending).toMatchObject([{ kind: 'retry_wait', ms: 5_000 }]);
    const { fate } = started.run.stop();
    const stopped = await ended(started);
    const next = await goOn(stopped, 'anthropic', {});

    expect(stopped.result).toMatchObject({ reason: 'stopped', iterations: 1 });
    expect(only(stopped.events, 'done')).toHaveLength(1);
    expect(await fate).toEqual({ kind: 'applied' });
    expect(started.timers.pending).toEqual([]);
    expect(next.result).toMatchObject({ reason: 'finished', final_content: 'done' });
    expect(server.seen).toHaveLength(2);
  });

  it('for a moment in milliseconds is waited for exactly so long', async () => {
    const busy = errorReply(529, 'overloaded_error', 'busy', { 'retry-after-ms': '20' });
    const { result, waits } = await playCase({ replies: [busy, DONE] }, 'anthropic');

    expect(result.reason).toBe('finished');
    expect(waits).toEqual([20]);
  });
});

describe.skipIf(SHARED_FOLDER === undefined)(`F6: a stream that falls silent${SKIPPED}`, () => {
  const config = { idle_timeout_ms: 1_000 };

  it('before any content is given up, its connection closed, and asked for again', async () => {
    const server = await serveCase('F6');
    const { fetch, began } = noticingFetch();
    const started = startCase(server, 'anthropic', { config, agent: { model: modelAt(server, 'anthropic', { fetch }) } });
    await began;
    expect(started.timers.pending).toMatchObject([{ kind: 'first_content', ms: 1_000 }]);
    started.timers.fire('first_content');
    const { result, events } = await ended(started);

    expect(result).toMatchObject({ reason: 'finished', final_content: 'done' });
    expect(only(events, 'retry')).toMatchObject([{ error_class: 'timeout', message: expect.stringContaining('1000 ms') }]);
    await expect.poll(() => server.seen[0]?.closedAt).toBeDefined();
    expect(server.seen).toHaveLength(2);
  });

  it('in the middle of its text is given up as well, and that text is void', async () => {
    const half: CaseReply = { body: { openai: [{ d: { content: 'half' } }], done: false }, end: 'hang' };
    const server = await serveCase({ replies: [half, openaiReply([{ content: 'whole' }])] });
    const started = startCase(server, 'openai', { config });
    await waitForEvent(started.run, 'text_delta');
    started.timers.fire('content_gap');
    const { result } = await ended(started);

    expect(result).toMatchObject({ reason: 'finished', final_content: 'whole' });
    expect(JSON.stringify(result.messages)).not.toContain('half');
    await expect.poll(() => server.seen[0]?.closedAt).toBeDefined();
  });

  it('is left at once by a stop, and its connection is closed', async () => {
    const server = await serveCase('F6');
    const { fetch, began } = noticingFetch();
    const started = startCase(server, 'anthropic', { config, agent: { model: modelAt(server, 'anthropic', { fetch }) } });
    await began;
    started.run.stop();
    const { result, events } = await ended(started);

    expect(result.reason).toBe('stopped');
    expect(only(events, 'done')).toHaveLength(1);
    expect(started.timers.pending).toEqual([]);
    await expect.poll(() => server.seen[0]?.closedAt).toBeDefined();
    expect(server.seen).toHaveLength(1);
  });
});

describe.skipIf(SHARED_FOLDER === undefined)(`F8: a Chat Completions stream that just ends${SKIPPED}`, () => {
  it('is broken, whether it ends or is reset, and is never taken for an answer; a finish reason alone makes it whole', async () => {
    const { result, events, server } = await playCase('F8', 'openai');

    expect(result).toMatchObject({ reason: 'finished', final_content: 'fine' });
    expect(server.seen).toHaveLength(3);
    expect(only(events, 'retry').map(({ error_class }) => error_class)).toEqual(['network', 'network']);
    expect(JSON.stringify(result.messages)).not.toContain('The answer is');
  });

  it.each([
    ['ends', 1],
    ['is reset', 2],
  ])('and %s in the last attempt ends the run as an error', async (_how, nth) => {
    const { result } = await playCase({ replies: [replyOf('F8', nth)] }, 'openai', { config: { max_attempts: 1 } });

    expect(result).toMatchObject({ reason: 'error', final_content: '', error: { code: 'model_network' } });
  });

  it('with a whole call in it runs nothing', async () => {
    const tools = recordingTools({ effect: 'done' });
    const replies = [replyOf('F8', 4), replyOf('F8', 5)];
    const { result, events } = await playCase({ replies }, 'openai', { tools: tools.tools });

    expect(result).toMatchObject({ reason: 'finished', final_content: 'done', tool_calls: 0 });
    expect(tools.calls).toEqual([]);
    expect(only(events, 'tool_call')).toEqual([]);
  });

  it('is broken as well when it is one of Anthropic', async () => {
    const half = anthropicReply([['text', 'The answer is']], { noStop: true });
    const { result, events } = await playCase({ replies: [half, { ...half, end: 'cut' }, DONE] }, 'anthropic');

    expect(result).toMatchObject({ reason: 'finished', final_content: 'done' });
    expect(only(events, 'retry').map(({ error_class }) => error_class)).toEqual(['network', 'network']);
  });
});
