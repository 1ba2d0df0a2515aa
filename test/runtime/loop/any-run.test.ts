/**
 * What holds for every run, whatever the model says and whenever somebody steers or stops it (L1, L4, L5, L7): random scripts,
 * random tools, random controls sent in the middle of an event.
 */
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { memoryJournal } from '../../../src/runtime/memory-journal.ts';
import type { ModelRequest, Timers } from '../../../src/runtime/ports.ts';
import type { Receipt, Run } from '../../../src/runtime/run.ts';
import type { Control } from '../../../src/runtime/schema/control.ts';
import { durableEventSchema, ephemeralEventSchema, isDurable, type RunEvent } from '../../../src/runtime/schema/event.ts';
import type { JsonObject } from '../../../src/runtime/schema/json.ts';
import type { Message } from '../../../src/runtime/schema/message.ts';
import { startRun } from '../../../src/runtime/start-run.ts';
import { applyEvent } from '../../../src/runtime/state/apply-event.ts';
import { historyOf } from '../../../src/runtime/state/history.ts';
import { requestOf } from '../../../src/runtime/state/request-of.ts';
import { initialState } from '../../../src/runtime/state/run-state.ts';
import {
  countingIds,
  fixedClock,
  fixedRandom,
  recordingTools,
  type ScriptedStep,
  scriptedModel,
} from '../../../src/runtime/testing/index.ts';

interface Call {
  readonly name: string;
  readonly arguments: JsonObject;
  readonly id?: string;
}

const call: fc.Arbitrary<Call> = fc.record(
  {
    name: fc.constantFrom('read', 'write', 'throws', 'confirm', 'missing', 'finish'),
    arguments: fc.constantFrom<JsonObject>({}, { v: 1 }, { result: 'end' }),
    id: fc.constantFrom('a', 'b', ''),
  },
  { requiredKeys: ['name', 'arguments'] },
);

const step: fc.Arbitrary<ScriptedStep> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ text: fc.constantFrom('', ' ', 'some text'), tool_calls: fc.array(call, { maxLength: 4 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      text: fc.constantFrom('', 'cut'),
      tool_calls: fc.array(call, { maxLength: 2 }),
      stop_reason: fc.constantFrom('max_tokens' as const, 'refusal' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      text: fc.constant('void'),
      error: fc.record({ class: fc.constantFrom('overloaded' as const, 'invalid_request' as const), after: fc.constant(1) }),
    }),
  },
);

const control: fc.Arbitrary<Control> = fc.oneof(
  fc.constantFrom('one', 'two', 'one').map((message): Control => ({ type: 'inject', message })),
  fc.constant<Control>({ type: 'inject', message: 'same', id: 'fixed' }),
  fc.constant<Control>({ type: 'modify_config', temperature: 0.5, max_iterations: 6 }),
  fc.constantFrom<Control>({ type: 'stop' }, { type: 'stop', mode: 'after_step' }),
);

const scenario = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 6 }),
  controls: fc.array(fc.tuple(fc.nat({ max: 30 }), control), { maxLength: 4 }),
  stop_on: fc.constantFrom('text' as const, 'finish_tool' as const),
  max_tool_calls: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
});

type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

/** Timers that never wait: what only waits goes on at once, what only watches never fires. */
const instant: Timers = {
  set(_ms, kind, fire) {
    let set = true;
    if (kind === 'retry_wait') queueMicrotask(() => set && fire());
    return () => (set = false);
  },
};

interface Played {
  readonly events: RunEvent[];
  readonly requests: readonly ModelRequest[];
  readonly receipts: readonly Receipt[];
  readonly messages: readonly Message[];
}

async function playScenario({ steps, controls, ...config }: Scenario): Promise<Played> {
  const tools = recordingTools({
    read: { effect: 'read', answer: 'seen' },
    write: 'written',
    throws: () => {
      throw new Error('no');
    },
    confirm: { confirm: true },
  });
  const model = scriptedModel((_request, { number }) => steps[(number - 1) % steps.length] ?? {});
  const receipts: Receipt[] = [];
  const due = [...controls].sort(([a], [b]) => a - b);
  const sent = { count: 0 };
  let run: Run | undefined;
  const onEvent = (): void => {
    sent.count += 1;
    while (due[0] !== undefined && due[0][0] < sent.count && run !== undefined) {
      const [, next] = due.shift() ?? [];
      if (next !== undefined) receipts.push(run.send(next));
    }
  };
  const events: RunEvent[] = [];
  const ports = {
    id: 'run_1',
    ids: countingIds(),
    clock: fixedClock(1),
    random: fixedRandom(0),
    timers: instant,
    journal: memoryJournal(),
  };
  run = startRun({ model, tools: tools.tools, hooks: { onEvent } }, 'go', { ...ports, config: { ...config, max_iterations: 5 } });
  for await (const event of run.events()) events.push(event);
  return { events, requests: model.requests, receipts, messages: (await run.result).messages };
}

/** What is wrong with a history by L1: the calls' results, their order, ids and empty parts. */
function problems(messages: readonly Message[]): string[] {
  const found: string[] = [];
  const ids = new Set<string>();
  messages.forEach((message, index) => {
    if (message.content.length === 0) found.push(`message ${index} is empty`);
    for (const block of message.content)
      if (block.type === 'text' && block.text.trim() === '') found.push(`message ${index} has blank text`);
    const calls = message.content.flatMap((block) => (block.type === 'tool_use' ? [block.call_id] : []));
    for (const id of calls) if (id === '' || ids.size === ids.add(id).size) found.push(`call id ${id} is not unique`);
    const next = messages[index + 1];
    const results = next?.content.flatMap((block) => (block.type === 'tool_result' ? [block.call_id] : [])) ?? [];
    const expected = message.role === 'assistant' ? calls : [];
    if (message.role === 'assistant' && JSON.stringify(results) !== JSON.stringify(expected)) found.push(`results behind message ${index}`);
    if (message.role !== 'assistant' && results.length > 0) found.push(`results behind a message without calls`);
  });
  return found;
}

describe('every run', () => {
  it('ends once, keeps a valid history, gives each control one fate and can be folded from its events', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (given) => {
        const { events, requests, receipts, messages } = await playScenario(given);
        const durable = events.filter(isDurable);

        expect(events.filter((event) => event.type === 'done')).toHaveLength(1);
        expect(events.at(-1)?.type).toBe('done');
        expect(durable.map((event) => event.seq)).toEqual(durable.map((_, index) => index + 1));
        for (const event of events) v.parse(isDurable(event) ? durableEventSchema : ephemeralEventSchema, event);

        for (const request of requests) {
          expect(problems(request.messages)).toEqual([]);
          expect(request.messages.at(-1)?.role).toBe('user');
        }
        expect(problems(messages)).toEqual([]);
        expect(historyOf(durable.reduce(applyEvent, initialState('run_1')))).toEqual(messages);
        const turns = durable.filter((event) => event.type === 'llm_turn');
        for (const turn of turns) expect(requests).toContainEqual(requestOf(events, turn.iteration));

        const received = durable.flatMap((event) => (event.type === 'control_received' ? [event.control_id] : []));
        const fates = durable.flatMap((event) => (event.type === 'control_applied' ? [event.control_id] : []));
        expect([...fates].sort()).toEqual([...received].sort());
        for (const receipt of receipts) {
          const { ok } = await receipt.accepted;
          const fate = await receipt.fate;
          expect(received.includes(receipt.id)).toBe(ok || fate.kind !== 'rejected');
        }

        const started = durable.filter((event) => event.type === 'tool_started').map((event) => event.call_id);
        const results = durable.filter((event) => event.type === 'tool_result').map((event) => event.call_id);
        expect(new Set(results).size).toBe(results.length);
        for (const id of started) expect(results).toContain(id);
      }),
      { numRuns: 400 },
    );
  });

  it('plays again exactly, given the same inputs', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (given) => {
        expect((await playScenario(given)).events).toEqual((await playScenario(given)).events);
      }),
      { numRuns: 50 },
    );
  });
});
