/** Models by name: what people write in a flag or a config becomes a model, and what is missing is told before a run starts. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { ConfigError, defineAgent, type Model, resolveModel, startRun } from 'steerloop';
import { libraryPrices } from 'steerloop/prices';
import { scriptedModel, text } from 'steerloop/testing';

// #region resolve
// The runtime reads no environment by itself: hand it over, here `process.env` in a real program.
const env = { ANTHROPIC_API_KEY: 'a-key-of-yours', OPENAI_BASE_URL: 'http://localhost:8080/v1' };
// Further schemes of your own; they win over the built-in ones.
const schemes = { canned: (answer: string): Model => scriptedModel([text(answer)], { provider: 'canned', model: answer }) };
const models = (spec: string): Model => resolveModel(spec, { env, schemes });
// #endregion

const known = ['anthropic:claude-sonnet-4-5', 'openai-compatible:qwen3', 'canned:Good day!'].map(models);
for (const { provider, model } of known) console.log(provider, '·', model);
deepEqual(
  known.map(({ provider }) => provider),
  ['anthropic', 'openai-compatible', 'canned'],
);

for (const spec of ['openai:gpt-5', 'claude-sonnet-4-5']) {
  try {
    models(spec);
    throw new Error(`${spec} should have been refused`);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.log(`${error.code}: ${error.message}`);
  }
}

// #region prices
const estimateCost = libraryPrices();
const agent = defineAgent({ model: models('canned:Good day!'), models, hooks: { estimateCost } });
// #endregion
const usage = { input_tokens: 1_000, output_tokens: 1_000, cache_read_tokens: 0, cache_write_tokens: 0, complete: true };
const cost = estimateCost({ provider: 'anthropic', model: 'claude-sonnet-4-5', usage, time: Date.UTC(2026, 0, 1) });
console.log(`1,000 tokens in and out: $${cost}`);
ok(cost !== null && cost > 0);

// `models` resolves the `model` of a config, also that of a `modify_config`. What has no price costs null, never 0.
const { final_content, cost_usd } = await startRun(agent, 'Hello', { config: { model: 'canned:Good evening!' } }).result;
equal(final_content, 'Good evening!');
equal(cost_usd, null);
