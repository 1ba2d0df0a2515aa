/** An agent that streams so many deltas as its input says, in reads of eight, and then ends. Plain, so that it loads at once. */
const USAGE = { input_tokens: 10, output_tokens: 5, cache_read_tokens: 0, cache_write_tokens: 0, complete: true };
const DELTAS_A_READ = 8;

async function* respond({ messages }) {
  const count = Number(messages[0].content[0].text);
  for (let delta = 0; delta < count; delta++) {
    if (delta % DELTAS_A_READ === 0) await new Promise((resolve) => setImmediate(resolve));
    yield { type: 'text_delta', text: 'some text ' };
  }
  yield { type: 'reply', reply: { content: [{ type: 'text', text: 'done' }], stop_reason: 'end_turn', usage: USAGE } };
}

// biome-ignore lint/style/noDefaultExport: an agent module has one.
export default { model: { provider: 'bench', model: 'bench', respond } };
