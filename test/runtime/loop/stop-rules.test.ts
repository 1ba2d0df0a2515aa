/** The three stop rules: what makes a run count as finished. */
import { describe, expect, it } from 'vitest';
import { FINISH_TOOL_NAME } from '../../../src/runtime/stop-rule.ts';
import { recordingTools, text, toolCall, toolCalls, waitForEvent } from '../../../src/runtime/testing/index.ts';
import { only, play, said, start, types } from './play.ts';

describe('every stop rule', () => {
  it.each(['text', 'finish_tool', 'manual'] as const)(
    '(%s) adds its text behind the system prompt, and stopInstructions replaces it',
    async (stop_on) => {
      const own = start([text('x'), text('x'), text('x')], { config: { stop_on }, agent: { system: 'Be brief.' } });
      await own.model.whenCalled();
      expect(own.model.requests[0]?.system).toMatch(/^Be brief\.\n\n\S/);
      own.run.stop();
      await own.run.result;
      const replaced = start([text('x'), text('x'), text('x')], {
        config: { stop_on },
        agent: { system: 'Be brief.', stopInstructions: 'Stop soon.' },
      });
      await replaced.model.whenCalled();
      expect(replaced.model.requests[0]?.system).toBe('Be brief.\n\nStop soon.');
      replaced.run.stop();
      await replaced.run.result;
    },
  );
});

describe('the finish tool', () => {
  const config = { stop_on: 'finish_tool' } as const;

  it('ends the run with its result, behind its siblings', async () => {
    const tools = recordingTools({ look: 'x' });
    const { result, all, model } = await play([toolCalls([{ name: FINISH_TOOL_NAME, arguments: { result: '42' } }, { name: 'look' }])], {
      config,
      tools,
    });
    expect(result).toMatchObject({ reason: 'finished', final_content: '42', tool_calls: 1 });
    expect(only(all, 'tool_result').map((event) => event.name)).toEqual(['look', FINISH_TOOL_NAME]);
    expect(model.requests[0]?.tools.map((tool) => tool.name)).toEqual(['look', FINISH_TOOL_NAME]);
  });

  it('is reminded of after a text reply, and the third in a row ends the run', async () => {
    const { result, model, all } = await play([text('one'), text('two'), text('three')], { config });
    expect(result).toMatchObject({ reason: 'error', error: { code: 'finish_not_called' }, final_content: 'three' });
    expect(said(model, 1).at(-1)).toContain('`finish`');
    expect(only(all, 'iteration_started').map((event) => event.messages.length)).toEqual([0, 1, 1]);
  });

  it('is not missed when calls come between text replies', async () => {
    const tools = recordingTools({ look: 'x' });
    const finish = toolCall(FINISH_TOOL_NAME, { result: 'ok' });
    const { result } = await play([text('1'), text('2'), toolCall('look'), text('3'), text('4'), finish], { config, tools });
    expect(result.reason).toBe('finished');
  });

  it('without a result is answered, and the run goes on', async () => {
    const finish = toolCall(FINISH_TOOL_NAME, { result: 'ok' });
    const { result, all } = await play([toolCall(FINISH_TOOL_NAME), toolCall(FINISH_TOOL_NAME, {}, {}), finish], { config });
    expect(result.final_content).toBe('ok');
    expect(only(all, 'tool_result').map((event) => event.outcome)).toEqual(['invalid_arguments', 'invalid_arguments', 'ok']);
  });

  it('cannot be a tool of the agent as well', () => {
    const tools = recordingTools({ [FINISH_TOOL_NAME]: 'x' });
    expect(() => start([], { tools, config })).toThrow(/finish/);
    expect(() => start([text('x')], { tools })).not.toThrow();
  });
});

describe('the manual rule', () => {
  const config = { stop_on: 'manual' } as const;

  it('waits for the next message after a text reply and goes on with it', async () => {
    const { run, model, events } = start([text('hi'), text('again')], { config });
    await waitForEvent(run, 'awaiting_input');
    const receipt = run.inject('more');
    await waitForEvent(run, 'awaiting_input', (event) => event.iteration === 2);
    run.stop({ mode: 'after_step' });
    expect(await run.result).toMatchObject({ reason: 'finished', final_content: 'again' });
    expect(await receipt.fate).toEqual({ kind: 'included', iteration: 2 });
    expect(said(model, 1)).toEqual(['user: hello', 'assistant: hi', 'user: more']);
    expect(types(await events).filter((type) => type.includes('input'))).toEqual(['awaiting_input', 'input_received', 'awaiting_input']);
  });

  it('does not wait where a message has come already', async () => {
    const { run, events } = start([text('hi'), text('again')], { config });
    run.modifyConfig({ temperature: 1 });
    await waitForEvent(run, 'awaiting_input');
    run.inject('more');
    await waitForEvent(run, 'awaiting_input', (event) => event.iteration === 2);
    run.stop();
    await run.result;
    expect(only(await events, 'llm_turn')).toHaveLength(2);
  });
});
