/** A model of your own: one method, which may answer with a whole reply in place of a stream. The loop does the retries. */
import { deepEqual, equal } from 'node:assert/strict';
import { defineAgent, type Model, ModelError, startRun } from 'steerloop';
import { collect } from 'steerloop/testing';

// #region model
const parrot: Model = {
  provider: 'mine',
  model: 'parrot-1',
  async respond(request, { signal, attempt }) {
    // Say what went wrong by its class, and the loop knows whether to ask again. Never retry in here.
    if (attempt === 1) throw new ModelError('overloaded', 'The parrot is eating.', { retryAfterMs: 10 });
    // Whatever takes long ends with the signal: it aborts on a stop and when a watchdog fires.
    signal.throwIfAborted();
    const heard = request.messages.at(-1)?.content[0];
    const reply = heard?.type === 'text' ? `${heard.text} ${heard.text}` : '(croaks)';
    return {
      content: [{ type: 'text', text: reply }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 3, output_tokens: 6, cache_read_tokens: 0, cache_write_tokens: 0, complete: true },
    };
  },
};
// #endregion

const run = startRun(defineAgent({ model: parrot }), 'Hello!');
const events = await collect(run);
for (const event of events)
  if (event.type === 'retry') console.log(`attempt ${event.attempt}: ${event.error_class}, again in ${event.wait_ms} ms`);
const { reason, final_content } = await run.result;
console.log(final_content);

equal(reason, 'finished');
equal(final_content, 'Hello! Hello!');
deepEqual(
  events.map((event) => event.type),
  ['run_started', 'iteration_started', 'retry', 'llm_turn', 'done'],
);
