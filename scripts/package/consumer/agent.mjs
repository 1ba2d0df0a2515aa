/** An agent whose tool answers with the package's own class: the thread must know it, or it would be shown as an object. */
import { defineAgent, defineTool, ToolOutput } from 'steerloop';
import { scriptedModel, text, toolCall } from 'steerloop/testing';

const lookUp = defineTool({
  name: 'look_up',
  description: 'Looks something up.',
  input: { type: 'object', properties: { word: { type: 'string', pattern: '^[a-z]+$' } }, required: ['word'] },
  execute: ({ word }) => new ToolOutput(`nothing is known about ${word}`, { isError: true }),
});

export default defineAgent({
  model: scriptedModel([toolCall('look_up', { word: 'owl' }), text('Nothing is known.')]),
  tools: [lookUp],
});
