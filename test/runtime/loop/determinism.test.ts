/** Promise L7: the same inputs give the same durable events; and the state is their fold and nothing else. */
import { describe, expect, it } from 'vitest';
import { isDurable, type RunEvent } from '../../../src/runtime/schema/event.ts';
import { applyEvent } from '../../../src/runtime/state/apply-event.ts';
import { historyOf } from '../../../src/runtime/state/history.ts';
import { initialState } from '../../../src/runtime/state/run-state.ts';
import { deferred, fail, recordingTools, text, toolCalls } from '../../../src/runtime/testing/index.ts';
import { start } from './play.ts';

async function eventfulRun(): Promise<{ events: RunEvent[]; messages: unknown }> {
  const gate = deferred();
  const tools = recordingTools({ look: { gate: gate.promise, effect: 'read' }, write: 'done' });
  const calls = toolCalls([{ name: 'look' }, { name: 'look' }, { name: 'write' }, { name: 'missing' }]);
  const { run, timers, events } = start([calls, fail('overloaded'), text('end')], { tools, config: { timeout_ms: 60_000 } });
  await tools.whenStarted('look', 2);
  run.inject('a steer');
  run.modifyConfig({ temperature: 0.5 });
  gate.resolve();
  await timers.whenSet('retry_wait');
  timers.fire('retry_wait');
  await run.result;
  return { events: await events, messages: (await run.result).messages };
}

describe('a run on fixed ports', () => {
  it('emits the same events each time', async () => {
    const [first, second] = [await eventfulRun(), await eventfulRun()];
    expect(second.events).toEqual(first.events);
  });

  it('has a state that is the fold of its durable events', async () => {
    const { events, messages } = await eventfulRun();
    const state = events.filter(isDurable).reduce(applyEvent, initialState('run_1'));
    expect(historyOf(state)).toEqual(messages);
    expect(state.done).toEqual(events.at(-1));
    expect(state.open_controls).toEqual([]);
  });

  it('has events that survive JSON', async () => {
    const { events, messages } = await eventfulRun();
    const through = JSON.parse(JSON.stringify(events)) as RunEvent[];
    expect(historyOf(through.filter(isDurable).reduce(applyEvent, initialState('run_1')))).toEqual(messages);
  });
});
