/** What an iteration and a streamed delta cost inline, beside the minimal loop of the same run. */
import { type Agent, startRun } from '../src/runtime/index.ts';
import type { Model, ModelChunk } from '../src/runtime/ports.ts';
import type { Tool } from '../src/runtime/tools/tool.ts';
import { measure, medianOf, printAims, printGroup } from './measure.ts';
import { type MinimalChunk, minimalLoop } from './minimal-loop.ts';

const USAGE = { input_tokens: 10, output_tokens: 5, cache_read_tokens: 0, cache_write_tokens: 0, complete: true };
const TEXT = 'some text ';

/** A model that calls the tool in every reply but the last, streaming so many deltas a reply. */
function benchModel(iterations: number, deltas: number): Model {
  let call = 0;
  return {
    provider: 'bench',
    model: 'bench',
    async *respond(): AsyncGenerator<ModelChunk> {
      call += 1;
      for (let count = 0; count < deltas; count++) yield { type: 'text_delta', text: TEXT };
      const text = { type: 'text' as const, text: TEXT };
      const use = { type: 'tool_use' as const, call_id: `call_${call}`, name: 'echo', arguments: { v: call } };
      const last = call >= iterations;
      yield { type: 'reply', reply: { content: last ? [text] : [text, use], stop_reason: last ? 'end_turn' : 'tool_use', usage: USAGE } };
    },
  };
}

const echo: Tool = {
  definition: { name: 'echo', description: 'Echoes.', input_schema: { type: 'object' }, effect: 'read', interruptible: true },
  check: (value) => ({ ok: true, value }),
  execute: async () => 'echoed',
};

/** An agent that takes so many iterations, one tool call in each but the last, with so many deltas a reply. */
export function benchAgent(iterations: number, deltas: number): Agent {
  return { model: benchModel(iterations, deltas), tools: [echo], config: { max_iterations: iterations } };
}

async function runOurs(iterations: number, deltas: number): Promise<void> {
  let seen = 0;
  const run = startRun({ ...benchAgent(iterations, deltas), hooks: { onEvent: () => (seen += 1) } }, 'go');
  const { reason } = await run.result;
  if (reason !== 'finished' || seen < iterations) throw new Error(`the measured run ended ${reason}`);
}

async function runMinimal(iterations: number, deltas: number): Promise<void> {
  let call = 0;
  let seen = 0;
  async function* model(): AsyncGenerator<MinimalChunk> {
    call += 1;
    for (let count = 0; count < deltas; count++) yield { delta: TEXT };
    const use = { id: `call_${call}`, name: 'echo', args: { v: call } };
    yield { reply: { role: 'assistant', text: TEXT, ...(call < iterations && { call: use }) } };
  }
  const messages = await minimalLoop({
    model,
    tool: async () => 'echoed',
    onEvent: () => (seen += 1),
    signal: new AbortController().signal,
    steering: [],
  });
  if (messages.length !== 2 * iterations || seen < iterations) throw new Error('the minimal loop went wrong');
}

/** Microseconds an iteration, for runs of several lengths. */
export async function benchIterations(): Promise<void> {
  const medians = new Map<number, number>();
  for (const iterations of [10, 100, 1_000]) {
    const repeats = 1_000 / iterations;
    const times = async (work: () => Promise<void>): Promise<void> => {
      for (let count = 0; count < repeats; count++) await work();
    };
    const cases = {
      'minimal loop': () => times(() => runMinimal(iterations, 0)),
      steerloop: () => times(() => runOurs(iterations, 0)),
    };
    const measured = await measure(cases, { unit: 'µs', operations: 1_000, warmup: 5, rounds: 21 });
    medians.set(iterations, medianOf(measured, 'steerloop'));
    const ratio = medianOf(measured, 'steerloop') / medianOf(measured, 'minimal loop');
    printGroup(`an iteration with one tool call, inline, runs of ${iterations}`, measured, [
      { text: 'times the minimal loop', value: ratio, limit: 3 },
    ]);
  }
  const growth = (medians.get(1_000) ?? Number.NaN) / (medians.get(100) ?? Number.NaN);
  printAims([{ text: 'cost of an iteration in a run of 1,000 over one in a run of 100', value: growth, limit: 1.5 }]);
}

/** Microseconds a streamed delta. */
export async function benchDeltas(): Promise<void> {
  const deltas = 20_000;
  const cases = { 'minimal loop': () => runMinimal(1, deltas), steerloop: () => runOurs(1, deltas) };
  const measured = await measure(cases, { unit: 'µs', operations: deltas, warmup: 3, rounds: 15 });
  const ratio = medianOf(measured, 'steerloop') / medianOf(measured, 'minimal loop');
  printGroup('a streamed delta, inline', measured, [{ text: 'times the minimal loop', value: ratio, limit: 3 }]);
}
