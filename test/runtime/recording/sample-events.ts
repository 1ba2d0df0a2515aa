/** A small run as its events, for the tests of recordings. */
import type { DurableEvent, RunEvent, Unstamped } from '../../../src/runtime/schema/event.ts';
import type { Message, ResultContent } from '../../../src/runtime/schema/message.ts';
import { NO_USAGE } from '../../../src/runtime/schema/usage.ts';

/** Stamps events one after another: durable ones get the next `seq`, each comes 10 ms after the one before. */
export function stamper(runId: string, firstTime = 1_000): (iteration: number, event: Unstamped<RunEvent>) => RunEvent {
  let seq = 0;
  let time = firstTime - 10;
  return (iteration, event) => {
    time += 10;
    const durable = !EPHEMERAL.has(event.type);
    if (durable) seq += 1;
    return { ...event, run_id: runId, iteration, time, ...(durable && { seq }) } as RunEvent;
  };
}

const EPHEMERAL = new Set(['text_delta', 'thinking_delta', 'tool_input_delta', 'tool_output', 'custom', 'status']);

/** A run of two iterations with one tool call, streamed text and a `done`; 13 events, 9 of them durable. */
export function sampleRun(runId = 'run_1'): RunEvent[] {
  const stamp = stamper(runId);
  const model = { provider: 'script', model: 'demo' };
  const turn = { model, usage: { ...NO_USAGE, input_tokens: 5, output_tokens: 2 }, cost_usd: 0.5, latency_ms: 3, attempts: 1 };
  const call = { call_id: 'c1', name: 'grep', arguments: { pattern: 'x' } };
  const question: Message = { id: 'm1', role: 'user', content: [{ type: 'text', text: 'Where is it? čau 🙂' }], time: 1_000 };
  const asked: Message = { id: 'm2', role: 'assistant', content: [{ type: 'tool_use', ...call }], time: 1_020 };
  const answer: Message = { id: 'm3', role: 'assistant', content: [{ type: 'text', text: 'In a.ts.' }], time: 1_090 };
  const found: ResultContent[] = [{ type: 'text', text: 'a.ts:1' }];
  return [
    stamp(0, { type: 'run_started', input: [question], stop_on: 'text', tools: [], config: {}, model, prices: null }),
    stamp(1, { type: 'iteration_started', messages: [] }),
    stamp(1, { type: 'llm_turn', ...turn, request: { tools: [], keep: 0, append: [question] }, message: asked, stop_reason: 'tool_use' }),
    stamp(1, { type: 'tool_call', ...call }),
    stamp(1, { type: 'tool_started', ...call, effect: 'read' }),
    stamp(1, { type: 'tool_output', call_id: 'c1', text: 'a.ts:1' }),
    stamp(1, { type: 'tool_result', call_id: 'c1', name: 'grep', content: found, is_error: false, outcome: 'ok' }),
    stamp(2, { type: 'iteration_started', messages: [] }),
    stamp(2, { type: 'text_delta', attempt: 1, text: 'In ' }),
    stamp(2, { type: 'text_delta', attempt: 1, text: 'a.ts.' }),
    stamp(2, { type: 'llm_turn', ...turn, request: { keep: 1, append: [asked] }, message: answer, stop_reason: 'end_turn' }),
    stamp(2, { type: 'status', code: 'settling' }),
    stamp(2, {
      type: 'done',
      reason: 'finished',
      final_content: 'In a.ts.',
      usage: { ...NO_USAGE, input_tokens: 10, output_tokens: 4 },
      cost_usd: 1,
      iterations: 2,
      tool_calls: 1,
      dropped_events: 0,
      unseen: [],
    }),
  ];
}

/** A durable event of any kind, for tests that only look at `seq`. */
export function warningEvent(seq: number, runId = 'run_1', message = `event ${seq}`): DurableEvent {
  return { type: 'warning', run_id: runId, iteration: 1, time: 1_000 + seq, seq, code: 'test', message };
}

/** A piece of streamed text. */
export function textDelta(
  text: string,
  changes: Partial<Extract<RunEvent, { type: 'text_delta' }>> = {},
): Extract<RunEvent, { type: 'text_delta' }> {
  return { type: 'text_delta', run_id: 'run_1', iteration: 1, time: 1_000, attempt: 1, text, ...changes };
}
