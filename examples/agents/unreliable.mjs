/** An agent in a module of its own, as a thread loads it. Its tool `divide` ends the thread when it is asked to divide by zero. */
import { defineAgent, defineTool } from 'steerloop';
import { scriptedModel, text, toolCall } from 'steerloop/testing';

const divide = defineTool({
  name: 'divide',
  description: 'Divides 12 by a number.',
  input: { type: 'object', properties: { by: { type: 'integer' } }, required: ['by'] },
  effect: 'read',
  execute: ({ by }) => (by === 0 ? process.exit(7) : 12 / by),
});

// The scripted model takes the number from what the user says.
const model = scriptedModel(({ messages }, { iteration }) => {
  const said = messages[0]?.content[0];
  return iteration === 1 ? toolCall('divide', { by: Number(said.text) }) : text('The result is {{last_result}}.');
});

export default defineAgent({ model, tools: [divide] });
