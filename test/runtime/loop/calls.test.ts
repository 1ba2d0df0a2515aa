/** Promises L1 and L3: what of a reply is executed, what is answered instead, and that ids are unique. */
import { describe, expect, it } from 'vitest';
import { deferred, recordingTools, text, toolCall, toolCalls } from '../../../src/runtime/testing/index.ts';
import { only, play, said, start } from './play.ts';

describe('calls of a reply', () => {
  it('run whatever the stop reason says', async () => {
    const tools = recordingTools({ echo: (args) => args });
    const stops = ['end_turn', 'other', 'stop_sequence'] as const;
    const steps = stops.map((stop_reason, index) => toolCall('echo', { v: index }, { stop_reason }));
    const { result } = await play([...steps, text('end')], { tools });
    expect(tools.calls.map((call) => call.args)).toEqual([{ v: 0 }, { v: 1 }, { v: 2 }]);
    expect(result.reason).toBe('finished');
  });

  it('get ids that are unique in the run, and one that came twice runs once', async () => {
    const tools = recordingTools({ echo: (args) => args });
    const { model } = await play(
      [
        toolCalls([
          { id: 'tu_1', name: 'echo', arguments: { v: 'a' } },
          { id: 'tu_1', name: 'echo', arguments: { v: 'b' } },
          { id: 'tu_9', name: 'echo', arguments: { v: 'z' } },
          { id: 'tu_9', name: 'echo', arguments: { v: 'z' } },
        ]),
        toolCalls([{ id: 'tu_1', name: 'echo', arguments: { v: 'c' } }]),
        text('done'),
      ],
      { tools },
    );
    expect(tools.calls.map((call) => call.args)).toEqual([{ v: 'a' }, { v: 'b' }, { v: 'z' }, { v: 'c' }]);
    const ids = said(model, 2).flatMap((line) => /calls echo as (\S+)/.exec(line)?.[1] ?? []);
    expect(new Set(ids).size).toBe(4);
    expect(ids.slice(0, 3)).toEqual(['tu_1', expect.not.stringMatching(/^tu_1$/), 'tu_9']);
    expect(said(model, 2).filter((line) => line.startsWith('user result'))).toHaveLength(4);
  });

  it('with an empty id get one', async () => {
    const tools = recordingTools({ echo: (args) => args });
    const { model } = await play(
      [
        toolCalls([
          { id: '', name: 'echo' },
          { id: '', name: 'echo', arguments: { v: 2 } },
        ]),
        text('end'),
      ],
      { tools },
    );
    const ids = said(model, 1).flatMap((line) => /calls echo as (\S+)/.exec(line)?.[1] ?? []);
    expect(new Set(ids).size).toBe(2);
  });

  it('are all written down before any of them starts', async () => {
    const tools = recordingTools({ a: 'x' });
    const { all } = await play([toolCalls([{ name: 'a' }, { name: 'a' }]), text('end')], { tools });
    const order = all.filter((event) => event.type === 'tool_call' || event.type === 'tool_started').map((event) => event.type);
    expect(order).toEqual(['tool_call', 'tool_call', 'tool_started', 'tool_started']);
  });

  it('of a tool that does not exist are answered with the names of those that do', async () => {
    const tools = recordingTools({ echo: 'x', list: 'y' });
    const { all, result } = await play([toolCalls([{ name: 'add' }, { name: 'ECHO' }]), text('end')], { tools });
    const results = only(all, 'tool_result');
    expect(results.map((event) => event.outcome)).toEqual(['unknown_tool', 'unknown_tool']);
    expect(JSON.stringify(results[1]?.content)).toMatch(/ECHO.*echo, list/);
    expect(tools.calls).toEqual([]);
    expect(result.tool_calls).toBe(0);
  });

  it('of a tool that does not exist end the run where the agent says so', async () => {
    const tools = recordingTools({ echo: 'x' });
    const { result } = await play([toolCalls([{ name: 'add' }, { name: 'echo' }])], { tools, agent: { onUnknownTool: 'end' } });
    expect(result).toMatchObject({ reason: 'error', error: { code: 'tool_not_found', message: expect.stringContaining('add') } });
    expect(tools.calls).toEqual([]);
    expect(result.messages.at(-1)?.content).toHaveLength(2);
  });

  it('whose arguments do not parse are answered with the mistake and the schema, and go back as an object', async () => {
    const tools = recordingTools({ need: 'x' });
    const { all, model } = await play([toolCalls([{ name: 'need', arguments_text: '{p:1,}' }, { name: 'need' }]), text('end')], { tools });
    expect(only(all, 'tool_call')[0]).toMatchObject({ arguments: {}, arguments_text: '{p:1,}' });
    const [broken, good] = only(all, 'tool_result').toSorted((a, b) => a.call_id.localeCompare(b.call_id));
    expect(broken?.outcome).toBe('invalid_arguments');
    expect(JSON.stringify(broken?.content)).toMatch(/need.*position.*schema/);
    expect(good?.outcome).toBe('ok');
    expect(model.requests[1]?.messages[1]?.content[0]).toMatchObject({ arguments: {} });
    expect(tools.calls).toHaveLength(1);
  });

  it('that the output limit cut are never executed, and the model is told', async () => {
    const tools = recordingTools({ write: 'x', look: 'y' });
    const cut = toolCalls([{ name: 'look' }, { name: 'write', arguments: { path: '/tmp/a' } }], { stop_reason: 'max_tokens' });
    const { all } = await play([cut, text('end')], { tools });
    expect(tools.calls.map((call) => call.name)).toEqual(['look']);
    const told = only(all, 'tool_result').find((event) => event.name === 'write');
    expect(told).toMatchObject({ outcome: 'not_run', is_error: true });
    expect(JSON.stringify(told?.content)).toContain('output limit');
    expect(only(all, 'llm_turn')[0]?.cut_call_ids).toHaveLength(1);
  });

  it('behind which a refusal broke the reply off are not executed, and the run goes on', async () => {
    const tools = recordingTools({ write: 'x' });
    const { all, result } = await play([toolCall('write', {}, { stop_reason: 'refusal' }), { stop_reason: 'refusal' }], { tools });
    expect(tools.calls).toEqual([]);
    expect(JSON.stringify(only(all, 'tool_result'))).toContain('refusal');
    expect(result.reason).toBe('refused');
  });

  it('cut in three turns in a row end the run as truncated', async () => {
    const tools = recordingTools({ write: 'x' });
    const cut = toolCall('write', {}, { stop_reason: 'max_tokens' });
    const { result } = await play([cut, toolCall('write'), cut, cut, cut], { tools });
    expect(result).toMatchObject({ reason: 'truncated', iterations: 5, tool_calls: 1 });
  });

  it('of a tool that needs confirming are denied while nobody can be asked', async () => {
    const tools = recordingTools({ danger: { confirm: true }, safe: 'x' });
    const { all } = await play([toolCalls([{ name: 'danger' }, { name: 'safe' }]), text('end')], { tools });
    expect(only(all, 'approval_decided')).toMatchObject([{ decision: 'deny' }]);
    expect(only(all, 'tool_result').map((event) => event.outcome)).toEqual(['denied', 'ok']);
    expect(tools.calls.map((call) => call.name)).toEqual(['safe']);
  });
});

describe('a tool that fails', () => {
  it('is an error result, whether it throws at once, rejects with a text, or with an error, and its siblings run', async () => {
    const tools = recordingTools({
      first: { answer: 'one', effect: 'read' },
      rejects: {
        answer: () => {
          throw 'just a text';
        },
        effect: 'read',
      },
      last: { answer: 'four', effect: 'read' },
    });
    const throwing = {
      definition: { name: 'throws', description: '', input_schema: { type: 'object' }, effect: 'read' as const, interruptible: true },
      check: (value: unknown) => ({ ok: true as const, value }),
      execute: () => {
        throw new Error('at once');
      },
    };
    const calls = ['first', 'throws', 'rejects', 'last'].map((name) => ({ name }));
    const { model, result } = await play([toolCalls(calls), text('end')], { agent: { tools: [...tools.tools, throwing] } });
    const results = said(model, 1).filter((line) => line.startsWith('user result'));
    expect(results).toEqual([
      'user result of call_1_1 (ok): one',
      expect.stringContaining('(error): Error: at once'),
      expect.stringContaining('(error): just a text'),
      'user result of call_1_4 (ok): four',
    ]);
    expect(result.reason).toBe('finished');
  });

  it('by taking too long is told so, with what it says within the grace period', async () => {
    const tools = recordingTools({ slow: { gate: new Promise(() => {}), timeoutMs: 500 } });
    const { run, timers, events } = start([toolCall('slow'), text('end')], { tools });
    await tools.whenStarted('slow');
    expect(timers.pending.map(({ kind, ms }) => [kind, ms])).toEqual([['tool_timeout', 500]]);
    timers.fire('tool_timeout');
    expect((await run.result).reason).toBe('finished');
    const [result] = only(await events, 'tool_result');
    expect(result).toMatchObject({ outcome: 'timeout', is_error: true });
    expect(JSON.stringify(result?.content)).toContain('500 ms');
  });

  it('after it was abandoned changes nothing any more', async () => {
    const gate = deferred();
    const tools = recordingTools({ deaf: { gate: gate.promise, deaf: true, answer: () => Promise.reject(new Error('late')) } });
    const { run, timers, events } = start([toolCall('deaf'), text('end')], { tools });
    await tools.whenStarted('deaf');
    timers.fire('tool_timeout');
    timers.fire('grace');
    await run.result;
    const before = (await events).length;
    gate.resolve();
    await Promise.resolve();
    expect((await events).length).toBe(before);
  });
});

describe('a tool that prints without end', () => {
  it('is shown up to a cap, and says that there is more', async () => {
    const print = (_args: unknown, context: { output(text: string): void }) => {
      for (let count = 0; count < 30; count++) context.output('x'.repeat(100_000));
      return 'done';
    };
    const { all } = await play([toolCall('print'), text('end')], { tools: recordingTools({ print }) });
    const shown = only(all, 'tool_output').map((event) => event.text);
    const whole = shown.join('');
    expect(whole.replace(/\n.*\n$/, '')).toHaveLength(1_048_576);
    expect(whole).toMatch(/further output of this call is not shown/);
  });
});

describe('a reply with nothing in it', () => {
  it('is asked for once more in the same iteration', async () => {
    const { all, result } = await play([{ text: '  \n' }, text('here')]);
    expect(result).toMatchObject({ reason: 'finished', final_content: 'here', iterations: 1 });
    expect(only(all, 'retry')).toMatchObject([{ error_class: 'empty', wait_ms: 0 }]);
  });

  it('a second time ends the run as empty, and leaves no empty message', async () => {
    const { result } = await play([{ stop_reason: 'tool_use' }, { stop_reason: 'tool_use' }]);
    expect(result.reason).toBe('empty');
    expect(result.messages.map((message) => message.role)).toEqual(['user']);
  });

  it('and a refusal ends the run as refused', async () => {
    const tools = recordingTools({ echo: 'x' });
    const { result, model } = await play([toolCall('echo'), { stop_reason: 'refusal' }], { tools });
    expect(result.reason).toBe('refused');
    expect(model.calls).toHaveLength(2);
    const next = await play([text('done')], { input: [...result.messages, { role: 'user', content: 'sorry' }] });
    expect(said(next.model, 0).at(-1)).toBe('user: sorry');
  });

  it('that drops blank blocks beside a call keeps the call', async () => {
    const tools = recordingTools({ echo: 'x' });
    const { model } = await play([{ text: '', tool_calls: [{ name: 'echo' }] }, text('end')], { tools });
    expect(model.requests[1]?.messages[1]?.content.map((block) => block.type)).toEqual(['tool_use']);
  });
});

describe('a text reply', () => {
  it('cut by the output limit ends the run as truncated, its text kept', async () => {
    const { result } = await play([text('and so', { stop_reason: 'max_tokens' })]);
    expect(result).toMatchObject({ reason: 'truncated', final_content: 'and so' });
  });

  it('that refuses ends the run as refused, its text kept', async () => {
    const { result } = await play([text('I cannot.', { stop_reason: 'refusal' })]);
    expect(result).toMatchObject({ reason: 'refused', final_content: 'I cannot.' });
  });
});
