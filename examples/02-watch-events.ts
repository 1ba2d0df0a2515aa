/** Several readers of one run: the events as a tree, the text as it streams, and a reader that comes late. */
import { deepEqual, equal } from 'node:assert/strict';
import { defineAgent, defineTool, isDurable, type RunEvent, startRun } from 'steerloop';
import { scriptedModel, text, toolCall } from 'steerloop/testing';

const clock = defineTool({
  name: 'clock',
  description: 'Tells the time.',
  input: { type: 'object' },
  effect: 'read',
  execute: () => '12:00',
});
const agent = defineAgent({
  model: scriptedModel([toolCall('clock'), text('It is {{last_result}}, time to eat.', { chunk: 4 })]),
  tools: [clock],
});

// #region readers
const run = startRun(agent, 'What time is it?');

/** The durable events: the journal of the run, numbered by `seq`. */
async function printTree(): Promise<RunEvent[]> {
  const seen: RunEvent[] = [];
  for await (const event of run.events()) {
    if (!isDurable(event)) continue;
    const depth = event.iteration === 0 || event.type === 'done' ? 0 : event.type === 'iteration_started' ? 1 : 2;
    console.log(`${String(event.seq).padStart(3)} ${'   '.repeat(depth)}${event.type}`);
    seen.push(event);
  }
  return seen;
}

/** The text as it streams: ephemeral events, which only those who watch live see. */
async function readText(): Promise<string> {
  let streamed = '';
  for await (const event of run.events({ from: 'now' })) if (event.type === 'text_delta') streamed += event.text;
  return streamed;
}

const [journal, streamed] = await Promise.all([printTree(), readText()]);
// #endregion

console.log(`streamed: ${streamed}`);
equal(streamed, 'It is 12:00, time to eat.');

// A run that is over can still be read, from any `seq`: durable events come from the journal.
const late: RunEvent[] = [];
for await (const event of run.events({ from: 5 })) late.push(event);
console.log(`late reader: ${late.map((event) => event.type).join(', ')}`);
deepEqual(late, journal.slice(4));
