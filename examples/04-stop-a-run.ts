/** Three ways to stop: now, after the step that is under way, and by a caller's AbortSignal. */
import { deepEqual, equal } from 'node:assert/strict';
import { defineAgent, defineTool, startRun } from 'steerloop';
import { deferred, hang, scriptedModel, text, toolCall, waitForEvent } from 'steerloop/testing';

// #region now
// Now (the default): a model call that would never end is cut, and what it had said is kept.
const endless = startRun(defineAgent({ model: scriptedModel([hang('after', { text: 'Let me think' })]) }), 'What is the answer?');
await waitForEvent(endless, 'text_delta');
endless.stop({ reason: 'I changed my mind' });
const stopped = await endless.result;
console.log('now:', stopped.reason, '·', stopped.final_content);
// #endregion
equal(stopped.reason, 'stopped');
equal(stopped.final_content, 'Let me think');

// #region after_step
// After this step: the reply and the calls that are under way finish, and no further model call is made.
const saved = deferred();
const save = defineTool({ name: 'save', description: 'Saves the file.', input: { type: 'object' }, execute: () => saved.promise });
const model = scriptedModel([toolCall('save'), text('never asked for')]);
const saving = startRun(defineAgent({ model, tools: [save] }), 'Save the file.');
await waitForEvent(saving, 'tool_started');
const receipt = saving.stop({ mode: 'after_step' });
saved.resolve();
const afterStep = await saving.result;
console.log('after_step:', afterStep.reason, '·', await receipt.fate);
// #endregion
equal(afterStep.reason, 'stopped');
deepEqual(await receipt.fate, { kind: 'applied' });
equal(afterStep.tool_calls, 1);
equal(model.leftover, 1);

// #region signal
// A caller's signal is a stop now. `run.result` resolves all the same: it never rejects.
const controller = new AbortController();
const bound = startRun(defineAgent({ model: scriptedModel([hang()]) }), 'Are you there?', { signal: controller.signal });
await waitForEvent(bound, 'iteration_started');
controller.abort('the user has left');
const aborted = await bound.result;
console.log('signal:', aborted.reason);
// #endregion
equal(aborted.reason, 'stopped');
