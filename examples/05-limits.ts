/** Limits are checked before anything is spent, and a run that meets one says which. */
import { equal } from 'node:assert/strict';
import { defineAgent, defineTool, type EstimateCost, type RunConfig, startRun } from 'steerloop';
import { scriptedModel, toolCall } from 'steerloop/testing';

const look = defineTool({ name: 'look', description: 'Looks.', input: { type: 'object' }, effect: 'read', execute: () => 'nothing yet' });

// #region price
// A price in US dollars, or null where it is not known. `steerloop/prices` has the list prices of public providers.
const estimateCost: EstimateCost = ({ usage }) => (usage.input_tokens * 3 + usage.output_tokens * 15) / 1_000_000;
// #endregion

/** Runs a model that never comes to an end by itself. */
async function runWith(config: RunConfig): Promise<string> {
  const usage = { input_tokens: 1_000, output_tokens: 100 };
  const model = scriptedModel(() => toolCall('look', {}, { usage }));
  const run = startRun(defineAgent({ model, tools: [look], hooks: { estimateCost } }), 'Look until you find it.', { config });
  let limit = 'no limit';
  for await (const event of run.events()) if (event.type === 'limit_reached') limit = `${event.limit}: ${event.message}`;
  const { reason, iterations, cost_usd } = await run.result;
  console.log(`${reason} after ${iterations} iteration(s), $${cost_usd?.toFixed(4)} · ${limit}`);
  return `${reason} ${limit.split(':')[0]}`;
}

equal(await runWith({ max_iterations: 3 }), 'max_iterations max_iterations');
equal(await runWith({ max_tool_calls: 2 }), 'budget max_tool_calls');
// A call reserves the input it may take and the whole reply it may give, so a limit on tokens wants one on the reply as well.
equal(await runWith({ max_total_tokens: 5_000, max_output_tokens: 1_000 }), 'budget max_total_tokens');
equal(await runWith({ max_cost_usd: 0.02, max_output_tokens: 500 }), 'budget max_cost_usd');
