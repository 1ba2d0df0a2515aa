/** Steering a run in flight: a message and a change of settings, sent while a tool works, and what became of them. */
import { deepEqual, equal } from 'node:assert/strict';
import { defineAgent, defineTool, startRun } from 'steerloop';
import { deferred, scriptedModel, text, toolCall, waitForEvent } from 'steerloop/testing';

// The tool works until it is told to finish, so that the controls arrive while it runs.
const work = deferred();
const measure = defineTool({
  name: 'measure',
  description: 'Measures the room.',
  input: { type: 'object' },
  execute: async () => {
    await work.promise;
    return '4 by 5 metres';
  },
});
const model = scriptedModel([toolCall('measure'), text('{{last_user}}? 13 by 16 feet.')]);
const run = startRun(defineAgent({ model, tools: [measure] }), 'How large is the room?');
await waitForEvent(run, 'tool_started');

// #region steer
const message = run.inject('In feet');
const settings = run.modifyConfig({ max_output_tokens: 500 });
const later = run.inject('Thank you', { delivery: 'after_run' });

// A receipt comes at once. `accepted` says whether the control stands in the journal, `fate` what became of it; neither rejects.
console.log('accepted:', await message.accepted, await settings.accepted, await later.accepted);
work.resolve();
console.log('fate:', await message.fate, await settings.fate, await later.fate);
// #endregion

const result = await run.result;
console.log(result.final_content);
deepEqual(await message.fate, { kind: 'included', iteration: 2 });
deepEqual(await settings.fate, { kind: 'applied' });
// This version refuses what it cannot do yet, and says so.
deepEqual(await later.fate, { kind: 'rejected', reason: 'unsupported' });
equal(result.final_content, 'In feet? 13 by 16 feet.');
// The message stands behind the tool's result, and the setting goes with the same request.
deepEqual(
  model.requests[1]?.messages.map(({ role, content }) => `${role} ${content[0]?.type}`),
  ['user text', 'assistant tool_use', 'user tool_result', 'user text'],
);
equal(model.requests[1]?.params.max_output_tokens, 500);
