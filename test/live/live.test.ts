/**
 * What only a real provider can show. Runs with `npm run test:live` alone: STEERLOOP_LIVE=1, STEERLOOP_LIVE_MODEL
 * (`openai:<model>`, `anthropic:<model>`) and that provider's key. Each case is one or two short requests.
 */
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { defineTool, resolveModel, startRun } from '../../src/runtime/index.ts';
import { collect, waitForEvent } from '../../src/runtime/testing/index.ts';

const spec = process.env['STEERLOOP_LIVE_MODEL'] ?? '';
const config = { max_iterations: 4, max_output_tokens: 2048, timeout_ms: 90_000 };

describe(`the live model ${spec}`, { timeout: 120_000 }, () => {
  it('calls a tool and quotes its result', async () => {
    const tool = defineTool({
      name: 'todays_word',
      description: 'Gives the word of the day.',
      input: { type: 'object', properties: {} },
      effect: 'read',
      execute: () => 'kestrel',
    });
    const run = startRun(
      { model: resolveModel(spec, { env: process.env }), tools: [tool], config },
      'Call todays_word, then say the word.',
    );
    const events = await collect(run);
    const { reason, final_content, usage, error } = await run.result;

    expect({ reason, error }).toEqual({ reason: 'finished', error: undefined });
    expect(events.flatMap((event) => (event.type === 'tool_result' ? [event.outcome] : []))).toContain('ok');
    expect(final_content.toLowerCase()).toContain('kestrel');
    expect(usage.complete).toBe(true);
    expect(usage.output_tokens).toBeGreaterThan(0);
  });

  it('streams, and stops in the middle of an answer', async () => {
    const run = startRun({ model: resolveModel(spec, { env: process.env }), config }, 'Count from 1 to 300, one number a line.');
    await waitForEvent(run, 'text_delta');
    run.stop();
    expect((await run.result).reason).toBe('stopped');
  });

  it('ends with an error that is not retried when the key is wrong', async () => {
    const run = startRun({ model: resolveModel(spec, { env: {}, apiKey: 'not-a-key' }), config }, 'Hello.');
    const events = await collect(run);
    const { reason, error } = await run.result;

    expect(reason).toBe('error');
    expect(error?.code).toBe('model_auth');
    expect(events.some((event) => event.type === 'retry')).toBe(false);
  });
});
