/** Hand-made events for tests of the trace: each call adds the next event of one run, numbered and stamped. */
import type { DurableEvent, EphemeralEvent, RunEvent, Unstamped } from '../../../src/runtime/schema/event.ts';
import type { AssistantBlock, Message } from '../../../src/runtime/schema/message.ts';
import { NO_USAGE, type Usage } from '../../../src/runtime/schema/usage.ts';

/** Events of one run, in the order in which they were added. */
export class SampleRun {
  readonly events: RunEvent[] = [];
  #seq = 0;
  #iteration = 0;

  /** Adds an event of the journal. */
  add(event: Unstamped<DurableEvent>): this {
    if (event.type === 'iteration_started') this.#iteration += 1;
    this.#seq += 1;
    this.events.push({ ...event, ...this.#stamp(), seq: this.#seq } as DurableEvent);
    return this;
  }

  /** Adds an ephemeral event. */
  tell(event: Unstamped<EphemeralEvent>): this {
    this.events.push({ ...event, ...this.#stamp() } as EphemeralEvent);
    return this;
  }

  /** The run begins. `prices`: where they come from. */
  start(prices: string | null = 'a price list'): this {
    const model = { provider: 'script', model: 'demo' };
    return this.add({ type: 'run_started', input: [], stop_on: 'text', tools: [], config: {}, model, prices });
  }

  /** An iteration begins. */
  iteration(): this {
    return this.add({ type: 'iteration_started', messages: [] });
  }

  /** Text streams, one delta a piece. */
  text(...pieces: readonly string[]): this {
    for (const text of pieces) this.tell({ type: 'text_delta', attempt: 1, text });
    return this;
  }

  /** The model's turn is over, with this text and these further blocks. */
  turn(text: string, ...blocks: readonly AssistantBlock[]): this {
    const content = [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...blocks];
    const message: Message = { id: `m${this.#seq}`, role: 'assistant', content, time: 0 };
    return this.add({
      type: 'llm_turn',
      model: { provider: 'script', model: 'demo' },
      request: { keep: 0, append: [] },
      message,
      stop_reason: 'end_turn',
      usage: NO_USAGE,
      cost_usd: null,
      latency_ms: 5,
      attempts: 1,
    });
  }

  /** The model asks for a call, it runs, and this is what it says. */
  call(callId: string, name: string, args: Record<string, string>, result: string, failed = false): this {
    this.add({ type: 'tool_call', call_id: callId, name, arguments: args });
    this.add({ type: 'tool_started', call_id: callId, name, arguments: args, effect: 'read' });
    return this.add({
      type: 'tool_result',
      call_id: callId,
      name,
      content: [{ type: 'text', text: result }],
      is_error: failed,
      outcome: failed ? 'error' : 'ok',
    });
  }

  /** The run is over. */
  done(event: Partial<Unstamped<Extract<DurableEvent, { type: 'done' }>>> = {}): this {
    return this.add({
      type: 'done',
      reason: 'finished',
      final_content: '',
      usage: usage(1482),
      cost_usd: 0.0031,
      iterations: this.#iteration,
      tool_calls: 0,
      dropped_events: 0,
      unseen: [],
      ...event,
    });
  }

  #stamp() {
    return { run_id: 'run_1', iteration: this.#iteration, time: 1_796_119_200_000 + this.events.length };
  }
}

/** A usage of so many tokens. */
export function usage(tokens: number, complete = true): Usage {
  return { ...NO_USAGE, input_tokens: tokens, complete };
}
