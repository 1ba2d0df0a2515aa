/** An agent whose tool throws the package's own error class: the thread must know it as its own. */
import { defineAgent, defineTool, ToolError } from 'steerloop';
import { scriptedModel, text, toolCall } from 'steerloop/testing';

const lookUp = defineTool({
  name: 'look_up',
  description: 'Looks something up.',
  input: { type: 'object', properties: { word: { type: 'string', pattern: '^[a-z]+$' } }, required: ['word'] },
  execute: ({ word }) => {
    throw new ToolError(`nothing is known about ${word}`, { code: 'unknown_word' });
  },
});

export default defineAgent({
  model: scriptedModel([toolCall('look_up', { word: 'owl' }), text('Nothing is known.')]),
  tools: [lookUp],
});
