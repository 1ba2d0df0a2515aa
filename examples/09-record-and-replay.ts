/** A run recorded to a file, read back and replayed: no model is called and no tool runs the second time. */
import { deepEqual, equal } from 'node:assert/strict';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineAgent, defineTool, eventsOfRun, replayRun, requestOf, startRun } from 'steerloop';
import { openRecording, readRecordingFile } from 'steerloop/node';
import { collect, scriptedModel, text, toolCall } from 'steerloop/testing';

let rolls = 0;
const roll = defineTool({ name: 'roll', description: 'Rolls dice.', input: { type: 'object' }, execute: () => `${++rolls} of 6` });
const agent = defineAgent({ model: scriptedModel([toolCall('roll'), text('You rolled {{last_result}}.')]), tools: [roll] });
const folder = await mkdtemp(join(tmpdir(), 'steerloop-example-'));

// #region record
const recording = await openRecording({ path: join(folder, 'dice.jsonl'), kind: 'run' });
const run = startRun(agent, 'Roll a die.', { id: 'run_dice', journal: recording.journalFor('run_dice') });
const live = await run.result;
await recording.close();
// #endregion

// #region replay
const { lines, warnings } = await readRecordingFile(recording.path);
const events = eventsOfRun(lines);
const replayed = replayRun(events, { speed: 0 });
console.log((await replayed.result).final_content);
// The audit trail: what exactly the model was asked in iteration 2.
console.log(requestOf(events, 2)?.messages.map(({ role }) => role));
// #endregion

deepEqual(warnings, []);
deepEqual(await replayed.result, live);
equal(live.final_content, 'You rolled 1 of 6.');
equal(rolls, 1, 'the tool ran once');
equal((await collect(replayed)).at(-1)?.type, 'done');
equal((await stat(recording.path)).mode & 0o777, 0o600);
await rm(folder, { recursive: true });
