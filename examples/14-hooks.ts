/** Hooks: watch every event, choose options of each model request, say what an error means, price a call, hear of trouble. */
import { deepEqual, equal } from 'node:assert/strict';
import { defineAgent, defineTool, type Hooks, startRun } from 'steerloop';
import { manualTimers, scriptedModel, text, toolCall } from 'steerloop/testing';

const counts = new Map<string, number>();
const heard: string[] = [];

// #region hooks
const hooks: Hooks = {
  onEvent: (event) => counts.set(event.type, (counts.get(event.type) ?? 0) + 1),
  // The first reply must call a tool; later ones are free. Headers never enter an event, since they may hold secrets.
  modelOptions: (iteration) => ({ tool_choice: iteration === 1 ? 'required' : 'auto', headers: { 'x-team': 'blue' } }),
  classifyError: (error) => (String(error).includes('try again') ? 'overloaded' : undefined),
  estimateCost: ({ usage }) => usage.output_tokens * 0.001,
  logger: { warn: (message) => heard.push(message) },
};
// #endregion

const look = defineTool({ name: 'look', description: 'Looks.', input: { type: 'object' }, effect: 'read', execute: () => 'a cat' });
const model = scriptedModel([
  toolCall('look', {}, { usage: { output_tokens: 8 } }),
  () => {
    throw new Error('the line is busy, try again');
  },
  text('I see {{last_result}}.', { usage: { output_tokens: 6 } }),
]);
const timers = manualTimers();
const run = startRun(defineAgent({ model, tools: [look], hooks }), 'What do you see?', { timers });
await timers.whenSet('retry_wait');
timers.fire('retry_wait');
const { final_content, cost_usd } = await run.result;

console.log(final_content, `$${cost_usd}`, Object.fromEntries(counts));
equal(final_content, 'I see a cat.');
equal(cost_usd?.toFixed(3), '0.014');
deepEqual([counts.get('llm_turn'), counts.get('retry'), counts.get('done')], [2, 1, 1]);
deepEqual(
  model.requests.map(({ params }) => params.tool_choice),
  ['required', 'auto', 'auto'],
);

// A hook that throws changes nothing but for a `warning` event.
const broken = defineAgent({
  model: scriptedModel([text('fine')]),
  hooks: {
    ...hooks,
    onEvent: () => {
      throw new Error('no disk');
    },
  },
});
equal((await startRun(broken, 'Are you well?').result).reason, 'finished');
console.log(heard[0]);
equal(heard[0], 'the onEvent hook threw');
