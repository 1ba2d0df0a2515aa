/** What is true of every run, however it went: checked behind each case, whatever else the case is about (L1, L3, L4). */
import * as v from 'valibot';
import { expect } from 'vitest';
import { normalizeInput } from '../../../src/runtime/input.ts';
import { durableEventSchema, ephemeralEventSchema, isDurable, type RunEvent } from '../../../src/runtime/schema/event.ts';
import { applyEvent } from '../../../src/runtime/state/apply-event.ts';
import { historyOf } from '../../../src/runtime/state/history.ts';
import { initialState } from '../../../src/runtime/state/run-state.ts';
import { countingIds, fixedClock } from '../../../src/runtime/testing/index.ts';
import { only } from './readings.ts';

/** Fails the test unless the events are those of a whole run that ended. */
export function expectSoundRun(events: readonly RunEvent[]): void {
  for (const event of events) {
    expect(v.safeParse(isDurable(event) ? durableEventSchema : ephemeralEventSchema, event)).toMatchObject({ success: true });
  }
  const durable = events.filter(isDurable);
  expect(durable.map(({ seq }) => seq)).toEqual(durable.map((_, index) => index + 1));
  expect(only(events, 'done')).toEqual([events.at(-1)]);
  expectPairedCalls(events);
  // The history is fit to be the next input: this throws where it is not.
  const history = historyOf(durable.reduce(applyEvent, initialState('any')));
  normalizeInput([...history, { role: 'user', content: 'next' }], { ids: countingIds(), clock: fixedClock() });
}

/** Each call is written down before any call of its turn starts, and has one result; a host that ends a run cannot know any. */
function expectPairedCalls(events: readonly RunEvent[]): void {
  const asked = only(events, 'tool_call').map(({ call_id }) => call_id);
  const answered = only(events, 'tool_result').map(({ call_id }) => call_id);
  expect(new Set(asked).size).toBe(asked.length);
  const known = only(events, 'done')[0]?.origin === 'host' ? asked.filter((id) => answered.includes(id)) : asked;
  expect(answered.toSorted()).toEqual(known.toSorted());
  const order = new Map<number, string[]>();
  for (const { iteration, type } of events) {
    if (type === 'tool_call' || type === 'tool_started') order.set(iteration, [...(order.get(iteration) ?? []), type]);
  }
  for (const types of order.values()) expect(types).toEqual(types.toSorted());
}
