import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/runtime/errors.ts';
import { requestOf } from '../../../src/runtime/state/request-of.ts';
import { collect, deferred, recordingTools, text, toolCall, toolCalls } from '../../../src/runtime/testing/index.ts';
import { only, play, said, start, types } from './play.ts';

describe('a run', () => {
  it('goes from its input over a tool call to an answer, and says so in order', async () => {
    const tools = recordingTools({ look: 'three files' });
    const { result, all, model } = await play(
      [toolCall('look', { path: '.' }, { text: 'I will look.' }), text('There are {{last_result}}.')],
      { tools },
    );
    expect(result).toMatchObject({ reason: 'finished', final_content: 'There are three files.', iterations: 2, tool_calls: 1, unseen: [] });
    expect(types(all)).toEqual([
      'run_started',
      'iteration_started',
      'llm_turn',
      'tool_call',
      'tool_started',
      'tool_result',
      'iteration_started',
      'llm_turn',
      'done',
    ]);
    expect(said(model, 1)).toEqual([
      'user: hello',
      'assistant: I will look.',
      'assistant calls look as call_1_1',
      'user result of call_1_1 (ok): three files',
    ]);
  });

  it('numbers durable events from 1 without a gap and gives ephemeral ones no number', async () => {
    const { all } = await play([text('hello there', { chunk: 3 })]);
    const seqs = all.flatMap((event) => ('seq' in event && event.seq !== undefined ? [event.seq] : []));
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    expect(only(all, 'text_delta').length).toBeGreaterThan(1);
    expect(only(all, 'text_delta').every((event) => !('seq' in event))).toBe(true);
    expect(all.at(-1)?.type).toBe('done');
  });

  it('writes each request against the one before, and requestOf puts it together again', async () => {
    const tools = recordingTools({ look: 'x' });
    const { all, model } = await play([toolCall('look'), toolCall('look'), text('end')], { tools, agent: { system: 'Be brief.' } });
    const turns = only(all, 'llm_turn');
    expect(turns.map((turn) => turn.request.keep)).toEqual([0, 1, 3]);
    expect(turns[1]?.request).not.toHaveProperty('system');
    expect(turns[1]?.request).not.toHaveProperty('tools');
    for (const iteration of [1, 2, 3]) expect(requestOf(all, iteration)).toEqual(model.requests[iteration - 1]);
    expect(requestOf(all, 4)).toBeUndefined();
  });

  it('serves several readers, from the start, from now and from a number', async () => {
    const gate = deferred();
    const { run, model, events } = start([text('one', { gate: gate.promise })]);
    await model.whenCalled();
    const late = collect(run.events({ from: 'now' }));
    const fromTwo = collect(run.events({ from: 2 }));
    gate.resolve();
    const [all, fromNow, second] = await Promise.all([events, late, fromTwo]);
    expect(types(all)).toEqual(['run_started', 'iteration_started', 'llm_turn', 'done']);
    expect(types(fromNow)).toEqual(['llm_turn', 'done']);
    expect(types(second)).toEqual(['iteration_started', 'llm_turn', 'done']);
    expect(types(await collect(run))).toEqual(types(all));
  });

  it('tells in its done how many events were dropped on their way out', async () => {
    expect((await play([text('ok')])).result.dropped_events).toBe(0);
    expect((await play([text('ok')], { droppedEvents: () => 7 })).result.dropped_events).toBe(7);
  });

  it('ends although nobody reads its events', async () => {
    const tools = recordingTools({ look: 'x' });
    const { run } = start([toolCall('look'), text('end')], { tools });
    expect((await run.result).reason).toBe('finished');
  });

  it('gives a history that is fit to be the next input', async () => {
    const tools = recordingTools({ look: 'x' });
    const first = await play([toolCall('look'), text('one')], { tools });
    const second = await play([text('two')], { tools, input: [...first.result.messages, { role: 'user', content: 'and now?' }] });
    expect(said(second.model, 0).slice(-2)).toEqual(['assistant: one', 'user: and now?']);
    expect(await second.run.messages()).toEqual(second.result.messages);
  });

  it('puts system messages of the input behind the system prompt of the agent and keeps them at the head of the history', async () => {
    const input = [
      { role: 'system' as const, content: 'Speak Czech.' },
      { role: 'user' as const, content: 'hi' },
    ];
    const { model, result } = await play([text('ahoj')], { input, agent: { system: 'Be brief.', stopInstructions: '' } });
    expect(model.requests[0]?.system).toBe('Be brief.\n\nSpeak Czech.');
    expect(said(model, 0)).toEqual(['user: hi']);
    expect(result.messages.map((message) => message.role)).toEqual(['system', 'user', 'assistant']);
  });

  it('closes calls without a result in its input as not run', async () => {
    const input = [
      { role: 'user' as const, content: 'go' },
      { role: 'assistant' as const, content: [{ type: 'tool_use' as const, call_id: 'a', name: 'x', arguments: {} }] },
      { role: 'user' as const, content: 'go on' },
    ];
    const { model } = await play([text('ok')], { input });
    expect(said(model, 0)).toEqual([
      'user: go',
      'assistant calls x as a',
      'user result of a (not_run): This call was not run.',
      'user: go on',
    ]);
  });

  it.each([
    ['', 'empty_input'],
    ['  \n', 'empty_input'],
    [[], 'empty_input'],
    [[{ role: 'user' as const, content: ' ' }], 'empty_input'],
    [[{ role: 'system' as const, content: 'only this' }], 'empty_input'],
    [
      [
        { role: 'user' as const, content: 'a' },
        { role: 'system' as const, content: 'late' },
      ],
      'invalid_input',
    ],
    [
      [
        { role: 'user' as const, content: 'a' },
        { role: 'assistant' as const, content: 'b' },
      ],
      'invalid_input',
    ],
    [[{ role: 'user' as const, content: [{ type: 'tool_result' as const, call_id: 'x', content: [], is_error: false }] }], 'invalid_input'],
  ])('refuses the input %j before anything starts', (input, code) => {
    expect(() => start([], { input })).toThrow(expect.objectContaining({ name: 'ConfigError', code }));
  });

  it('refuses a config with a field that does not exist or a limit of 0, and names it', () => {
    expect(() => start([], { config: { max_iterations: 0 } })).toThrow(/max_iterations/);
    expect(() => start([], { agent: { config: JSON.parse('{"max_iteration": 3}') } })).toThrow(/max_iteration/);
  });

  it('refuses two tools of one name', () => {
    const [tool] = recordingTools({ same: 'x' }).tools;
    expect(() => start([], { agent: { tools: tool === undefined ? [] : [tool, tool] } })).toThrow(ConfigError);
  });

  it('takes calls of several tools in one reply', async () => {
    const tools = recordingTools({ a: '1', b: '2' });
    const { model } = await play([toolCalls([{ name: 'a' }, { name: 'b' }]), text('end')], { tools });
    expect(said(model, 1).slice(1)).toEqual([
      'assistant calls a as call_1_1',
      'assistant calls b as call_1_2',
      'user result of call_1_1 (ok): 1',
      'user result of call_1_2 (ok): 2',
    ]);
  });
});
