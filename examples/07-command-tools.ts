/** Tools that are commands: real programs from a manifest, started without a shell. */
import { deepEqual, match } from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { defineAgent, startRun } from 'steerloop';
import { commandTools, describeManifest, loadManifest } from 'steerloop/node';
import { collect, scriptedModel, text, toolCall } from 'steerloop/testing';

// #region tools
const manifest = await loadManifest(fileURLToPath(new URL('./07-command-tools.yaml', import.meta.url)));
const tools = commandTools(manifest);
// #endregion

// What `steerloop tools check examples/07-command-tools.yaml` prints.
console.log(describeManifest(manifest));

const model = scriptedModel([
  toolCall('find_text', { text: 'const manifest' }),
  toolCall('shout', { text: '; rm -rf / $(whoami)' }),
  toolCall('shout', { text: '--version' }),
  toolCall('shout', { text: 'hello', volume: 11 }),
  text('{{result:find_text}}'),
]);
// Commands run in the current directory; here it is made that of the examples.
process.chdir(fileURLToPath(new URL('.', import.meta.url)));
const run = startRun(defineAgent({ model, tools }), 'Where is the manifest loaded?');
const events = await collect(run);
const results = events.filter((event) => event.type === 'tool_result');
for (const { outcome, content } of results) console.log(outcome, '·', content[0]?.type === 'text' ? content[0].text : '');

match((await run.result).final_content, /07-command-tools\.ts:\d+:const manifest = await loadManifest/);
// A value is one argument, whatever stands in it: no shell reads it.
deepEqual(results[1]?.content, [{ type: 'text', text: '; rm -rf / $(whoami)!' }]);
// A value that would begin an argument with "-" is refused, and so is an argument that nobody declared: nothing runs.
deepEqual(
  results.map(({ outcome }) => outcome),
  ['ok', 'ok', 'invalid_arguments', 'invalid_arguments'],
);
