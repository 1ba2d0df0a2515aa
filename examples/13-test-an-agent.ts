/** Testing an agent: no provider, no sleeping, no real clock. The test decides when a tool answers and when a timer fires. */
import { deepEqual, equal } from 'node:assert/strict';
import { defineAgent, startRun } from 'steerloop';
import { collect, deferred, fail, fixedClock, manualTimers, recordingTools, scriptedModel, text, toolCalls } from 'steerloop/testing';

// #region script
const rain = deferred<string>();
const { tools, calls, whenStarted } = recordingTools({
  weather: { effect: 'read', gate: rain.promise, answer: 'it rains' },
  calendar: { effect: 'read', answer: 'a walk at noon' },
});
const model = scriptedModel([
  toolCalls([{ name: 'weather' }, { name: 'calendar' }]),
  fail('rate_limit', { retry_after_ms: 20_000 }),
  (request) => {
    const results = request.messages.at(-1)?.content.map((block) => (block.type === 'tool_result' ? block.call_id : block.type));
    return text(`Take an umbrella (${results?.length} results).`);
  },
]);
const clock = fixedClock();
const timers = manualTimers(clock);
const run = startRun(defineAgent({ model, tools }), 'What do I need today?', { clock, timers });
// #endregion

// #region drive
await whenStarted('calendar');
rain.resolve('go on');
await timers.whenSet('retry_wait');
timers.fire('retry_wait');
const { final_content } = await run.result;
// #endregion

console.log(final_content);
equal(final_content, 'Take an umbrella (2 results).');
// Both calls ran side by side, and twenty seconds passed without anybody waiting for them.
deepEqual(
  calls.map(({ name, beside, state }) => `${name} ${beside} ${state}`),
  ['weather 1 returned', 'calendar 2 returned'],
);
equal(clock.now(), 20_000);
equal((await collect(run)).filter((event) => event.type === 'retry').length, 1);
// Fails when the model was asked more often than the script says, or less often.
model.assertDone();
