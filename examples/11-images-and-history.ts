/** What a run may begin with: text and pictures, or a conversation, such as the one that an earlier run left. */
import { deepEqual, equal } from 'node:assert/strict';
import { ConfigError, defineAgent, startRun } from 'steerloop';
import { scriptedModel, text } from 'steerloop/testing';

// A red dot, as the smallest of pictures.
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const model = scriptedModel([text('A red dot.'), text('As I said: red.')]);
const agent = defineAgent({ model, system: 'Answer in few words.' });

// #region input
const first = startRun(agent, [
  { type: 'image', media_type: 'image/png', data: dot },
  { type: 'text', text: 'What is this?' },
]);
// The messages of a result are valid history, fit to be the next input.
const { messages } = await first.result;
const second = startRun(agent, [
  { role: 'system', content: 'The user is in a hurry.' },
  ...messages,
  { role: 'user', content: 'Which colour?' },
]);
console.log((await first.result).final_content, (await second.result).final_content);
// #endregion

deepEqual(
  model.requests[1]?.messages.map(({ role, content }) => `${role}: ${content.map(({ type }) => type).join(', ')}`),
  ['user: image, text', 'assistant: text', 'user: text'],
);
equal((await second.result).final_content, 'As I said: red.');

// What cannot be an input is thrown before anything starts, and says what to do.
for (const input of ['  ', [{ role: 'assistant' as const, content: 'I begin.' }]]) {
  try {
    startRun(agent, input);
    throw new Error('this should have been refused');
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.log(`${error.code}: ${error.message}`);
  }
}
