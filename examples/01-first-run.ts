/** A first run: a tool, a scripted model that needs no network, and every event on the way to the answer. */
import { equal } from 'node:assert/strict';

// #region program
import { defineAgent, defineTool, startRun } from 'steerloop';
import { scriptedModel, text, toolCall } from 'steerloop/testing';

const add = defineTool({
  name: 'add',
  description: 'Adds two numbers.',
  input: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
  execute: ({ a, b }: { a: number; b: number }) => a + b,
});
const model = scriptedModel([toolCall('add', { a: 2, b: 40 }), text('The sum is {{last_result}}.')]);
const run = startRun(defineAgent({ model, tools: [add] }), 'What is 2 + 40?');
for await (const event of run.events()) console.log(event.type);
console.log((await run.result).final_content);
// #endregion

const result = await run.result;
equal(result.reason, 'finished');
// The script only quotes: the sum comes from the tool.
equal(result.final_content, 'The sum is 42.');
