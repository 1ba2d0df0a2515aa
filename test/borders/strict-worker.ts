/**
 * The program that portable-bundle.test.ts runs in a workerd without any Node global: one scripted run with a real
 * tool over two iterations. It answers with what the run came to, and with the Node globals it could see.
 */
import { defineTool, startRun } from '../../src/runtime/index.ts';
import { collect, scriptedModel, text, toolCall } from '../../src/runtime/testing/index.ts';

const weather = defineTool({
  name: 'weather',
  description: 'Tells the weather of a city.',
  // The pattern makes the argument check load its pattern engine, which has to work here as well.
  input: { type: 'object', properties: { city: { type: 'string', pattern: '^[A-Z][a-z]+$' } }, required: ['city'] },
  effect: 'read',
  execute: () => 'sunny, 21 degrees',
});

/** Plays the run and says what it came to. */
export async function playRun(): Promise<unknown> {
  const model = scriptedModel([
    toolCall('weather', { city: 'vienna' }),
    toolCall('weather', { city: 'Vienna' }),
    text('It is sunny in Vienna.'),
  ]);
  const run = startRun({ model, tools: [weather] }, 'How is the weather in Vienna?');
  const events = await collect(run);
  const { reason, final_content, iterations, error } = await run.result;
  const outcomes = events.flatMap((event) => (event.type === 'tool_result' ? [event.outcome] : []));
  return {
    reason,
    final_content,
    iterations,
    outcomes,
    error,
    node: ['process', 'Buffer', 'setImmediate'].filter((name) => name in globalThis),
  };
}
