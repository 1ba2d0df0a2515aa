/** Promise L6: parallel where it is safe. */
import { describe, expect, it } from 'vitest';
import { deferred, recordingTools, text, toolCalls } from '../../../src/runtime/testing/index.ts';
import { only, play, said, start } from './play.ts';

const names = (list: string) => toolCalls([...list].map((name) => ({ name })));

describe('calls of one reply', () => {
  it('that only read run side by side, eight at once', async () => {
    const gates = Array.from({ length: 10 }, () => deferred());
    const tools = recordingTools({ r: { effect: 'read', gate: (call) => gates[call.order - 1]?.promise } });
    const { run } = start([names('rrrrrrrrrr'), text('end')], { tools });
    await tools.whenStarted('r', 8);
    expect(tools.calls).toHaveLength(8);
    gates[3]?.resolve();
    await tools.whenStarted('r', 9);
    for (const gate of gates) gate.resolve();
    await run.result;
    expect(tools.mostAtOnce).toBe(8);
  });

  it('that do more than read are a barrier', async () => {
    const tools = recordingTools({ r: { effect: 'read' }, w: {}, i: { effect: 'idempotent' } });
    await play([names('rrwrri'), text('end')], { tools });
    expect(tools.calls.map((call) => [call.name, call.beside])).toEqual([
      ['r', 1],
      ['r', 2],
      ['w', 1],
      ['r', 1],
      ['r', 2],
      ['i', 1],
    ]);
  });

  it('are reported in the order of finishing and go back in the order of calling', async () => {
    const first = deferred();
    const tools = recordingTools({
      a: { effect: 'read', gate: first.promise, answer: 'A' },
      b: {
        effect: 'read',
        answer: () => {
          first.resolve();
          return 'B';
        },
      },
    });
    const { all, model } = await play([names('ab'), text('end')], { tools });
    expect(only(all, 'tool_result').map((event) => event.name)).toEqual(['b', 'a']);
    expect(said(model, 1).slice(3)).toEqual(['user result of call_1_1 (ok): A', 'user result of call_1_2 (ok): B']);
    expect(only(all, 'llm_turn')[1]?.request.append.at(-1)?.content).toHaveLength(2);
  });
});
