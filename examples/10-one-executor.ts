/** Many tools behind one function, for a program that has its tools as data and a dispatcher of its own. */
import { deepEqual, equal } from 'node:assert/strict';
import { defineAgent, startRun, ToolError, toolsFrom } from 'steerloop';
import { collect, scriptedModel, text, toolCalls } from 'steerloop/testing';

const stock: Record<string, number> = { apples: 12, pears: 0 };
const itemSchema = { type: 'object', properties: { item: { type: 'string' } }, required: ['item'], additionalProperties: false };

// #region tools
const tools = toolsFrom(
  [
    { name: 'count', description: 'Counts an item.', input_schema: itemSchema, effect: 'read' },
    { name: 'sell', description: 'Sells one item.', input_schema: itemSchema },
  ],
  (name, args) => {
    const item = String(args['item']);
    const left = stock[item];
    // The model reads what a tool throws, and can do something about it.
    if (left === undefined) throw new ToolError(`there are no ${item}; there are ${Object.keys(stock).join(', ')}`);
    if (name === 'sell') stock[item] = left - 1;
    return { item, left: stock[item] };
  },
);
// #endregion

const model = scriptedModel([
  toolCalls([
    { name: 'count', arguments: { item: 'pears' } },
    { name: 'sell', arguments: { item: 'apples' } },
    { name: 'count', arguments: { item: 'plums' } },
    { name: 'count', arguments: {} },
    { name: 'buy', arguments: { item: 'plums' } },
  ]),
  text('done'),
]);
const run = startRun(defineAgent({ model, tools }), 'How are the apples?');
const results = (await collect(run)).filter((event) => event.type === 'tool_result');
for (const { name, outcome, content } of results) console.log(name, outcome, content[0]?.type === 'text' ? content[0].text : '');

// Bad arguments and unknown tools never reach the function: the loop answers, and the run goes on.
const outcomes = results.map(({ name, outcome }) => `${name} ${outcome}`).sort();
deepEqual(outcomes, ['buy unknown_tool', 'count error', 'count invalid_arguments', 'count ok', 'sell ok']);
equal(stock['apples'], 11);
