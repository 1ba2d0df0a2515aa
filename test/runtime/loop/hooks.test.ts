/** The hooks of an agent: what they see, and that none of them can break a run by throwing. */
import { describe, expect, it } from 'vitest';
import type { ModelReply, ModelRequest } from '../../../src/runtime/ports.ts';
import type { Run } from '../../../src/runtime/run.ts';
import type { RunEvent } from '../../../src/runtime/schema/event.ts';
import { startRun } from '../../../src/runtime/start-run.ts';
import { hang, recordingTools, text, toolCall } from '../../../src/runtime/testing/index.ts';
import { only, play, start, types } from './play.ts';

describe('onEvent', () => {
  it('sees every event that a reader sees', async () => {
    const seen: string[] = [];
    const { all } = await play([text('hello', { chunk: 2 })], { agent: { hooks: { onEvent: (event) => seen.push(event.type) } } });
    expect(seen).toEqual(all.map((event) => event.type));
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('listener broke');
      },
    ],
    ['rejects', () => Promise.reject(new Error('listener broke'))],
  ])('that %s every time is one warning and changes nothing else', async (_how, onEvent) => {
    const tools = recordingTools({ look: 'x' });
    const quiet = await play([toolCall('look'), text('end')], { tools });
    const loud = await play([toolCall('look'), text('end')], { tools, agent: { hooks: { onEvent } } });
    expect(only(loud.all, 'warning')).toMatchObject([{ code: 'hook_failed', message: expect.stringContaining('listener broke') }]);
    expect(types(loud.all).filter((type) => type !== 'warning')).toEqual(types(quiet.all));
    expect(loud.result).toEqual(quiet.result);
  });
});

describe('a listener', () => {
  it('cannot change what runs or what is kept: events are frozen, and an attempt is a warning', async () => {
    const tools = recordingTools({ look: (args) => args });
    const onEvent = (event: RunEvent) => {
      if (event.type === 'tool_call') event.arguments['path'] = '/etc/passwd';
    };
    const { result, all } = await play([toolCall('look', { path: 'mine' }), text('end')], { tools, agent: { hooks: { onEvent } } });
    expect(tools.calls.map((call) => call.args)).toEqual([{ path: 'mine' }]);
    expect(JSON.stringify([all, result.messages])).not.toContain('passwd');
    expect(only(all, 'warning')).toMatchObject([{ code: 'hook_failed' }]);
  });

  it('that stops the run at every accepted control does not go on for ever', async () => {
    const stops: Run[] = [];
    const onEvent = (event: RunEvent) => {
      if (event.type === 'control_received') stops[0]?.stop();
    };
    const { run, model, events } = start([hang()], { agent: { hooks: { onEvent } } });
    stops.push(run);
    await model.whenCalled();
    run.stop();
    expect((await run.result).reason).toBe('stopped');
    expect(only(await events, 'control_received')).toHaveLength(8);
  });
});

describe('modelOptions', () => {
  it('adds to the request, by iteration, and headers stay out of the events', async () => {
    const tools = recordingTools({ look: 'x' });
    const modelOptions = (iteration: number) =>
      iteration === 1
        ? { tool_choice: 'required' as const, headers: { 'x-trace': 'abc' }, extra_body: { seed: 7 } }
        : { thinking: 'low' as const };
    const { model, all } = await play([toolCall('look'), text('end')], { tools, agent: { hooks: { modelOptions } } });
    expect(model.requests.map(({ params, headers }) => [params, headers])).toEqual([
      [{ tool_choice: 'required', extra_body: { seed: 7 } }, { 'x-trace': 'abc' }],
      [{ thinking: 'low' }, undefined],
    ]);
    expect(JSON.stringify(all)).not.toContain('x-trace');
  });

  it('may give an object of its own again and again, and change it in between', async () => {
    const body = { seed: 0 };
    const modelOptions = () => {
      body.seed += 1;
      return { extra_body: body };
    };
    const tools = recordingTools({ look: 'x' });
    const { model, result, all } = await play([toolCall('look'), text('end')], { tools, agent: { hooks: { modelOptions } } });
    expect(result.reason).toBe('finished');
    expect(model.requests.map(({ params }) => params)).toEqual([{ extra_body: { seed: 1 } }, { extra_body: { seed: 2 } }]);
    expect(only(all, 'llm_turn').map(({ request }) => request.params)).toEqual(model.requests.map(({ params }) => params));
  });

  it('may be a plain value', async () => {
    const { model } = await play([text('end')], { agent: { hooks: { modelOptions: { thinking: 'high' } } }, config: { thinking: 'low' } });
    expect(model.requests[0]?.params).toEqual({ thinking: 'high' });
  });

  it('that throws ends the run with its own code', async () => {
    const modelOptions = () => {
      throw new Error('no options today');
    };
    const { result } = await play([], { agent: { hooks: { modelOptions } } });
    expect(result).toMatchObject({
      reason: 'error',
      error: { code: 'model_options_failed', message: expect.stringContaining('no options today') },
    });
  });
});

describe('a model that gives only a whole reply', () => {
  it('is as good as one that streams', async () => {
    const requests: ModelRequest[] = [];
    const usage = { input_tokens: 3, output_tokens: 2, cache_read_tokens: 0, cache_write_tokens: 0, complete: true };
    const respond = async (request: ModelRequest): Promise<ModelReply> => {
      requests.push(request);
      return { content: [{ type: 'text', text: `you said ${request.messages.length} thing` }], stop_reason: 'end_turn', usage };
    };
    const result = await startRun({ model: { provider: 'own', model: 'parrot', respond } }, 'hi').result;
    expect(result).toMatchObject({ reason: 'finished', final_content: 'you said 1 thing', usage });
    expect(requests).toHaveLength(1);
  });
});
