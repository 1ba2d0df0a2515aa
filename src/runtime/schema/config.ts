/**
 * RunConfig: the settings of a run, the same object in an agent, over HTTP, in events and in
 * `modify_config`. And the one table of defaults. Unknown keys are refused, so that a typing
 * mistake is an error and not a setting that silently does nothing.
 */
import * as v from 'valibot';

const count = v.pipe(v.number(), v.integer(), v.minValue(1, 'must be 1 or more; leave it out for the default'));
const milliseconds = v.pipe(v.number(), v.integer(), v.minValue(1, 'must be 1 millisecond or more'));

/** When a run counts as finished. */
export const stopRuleSchema = v.picklist(['text', 'finish_tool', 'manual']);

/** How much the model is asked to think. */
export const thinkingLevelSchema = v.picklist(['off', 'low', 'medium', 'high']);

/** Settings of a run; every field may be left out. What is not set is not sent to the provider. */
export const runConfigSchema = v.strictObject({
  /** Most model turns; default 32. */
  max_iterations: v.optional(count),
  /** Most tool calls of the run; default no limit. */
  max_tool_calls: v.optional(count),
  /** Longest time of the run; default no limit. */
  timeout_ms: v.optional(milliseconds),
  /** Most tokens of the run: input, both cache parts and output; default no limit. */
  max_total_tokens: v.optional(count),
  /** Most US dollars of the run; default no limit. Refused where the price of the model is not known. */
  max_cost_usd: v.optional(v.pipe(v.number(), v.gtValue(0, 'must be more than 0'))),
  /** Most tokens of one reply; default what the provider allows, 8,192 where it insists on a number. */
  max_output_tokens: v.optional(count),
  /** From 0 to 2. */
  temperature: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(2))),
  thinking: v.optional(thinkingLevelSchema),
  /** Spec of another model than the agent's own, for its `models` to resolve. */
  model: v.optional(v.pipe(v.string(), v.minLength(1))),
  /** Default `text`. */
  stop_on: v.optional(stopRuleSchema),
  /** Most attempts at one model call, the first included; default 5. */
  max_attempts: v.optional(count),
  /** Longest silence of a model, before its first content and between two pieces; default 180,000 and 120,000. */
  idle_timeout_ms: v.optional(milliseconds),
  /** Longest wait for a person. Without effect in this version, which asks nobody. */
  person_timeout_ms: v.optional(milliseconds),
});

/** Settings of a run. Durations in milliseconds, money in US dollars. */
export type RunConfig = v.InferOutput<typeof runConfigSchema>;
/** When a run counts as finished. */
export type StopRule = v.InferOutput<typeof stopRuleSchema>;
/** How much the model is asked to think. */
export type ThinkingLevel = v.InferOutput<typeof thinkingLevelSchema>;

/** Every default of the runtime. Durations in milliseconds, sizes in bytes. */
export const DEFAULTS = {
  maxIterations: 32,
  maxAttempts: 5,
  backoffFirstMs: 1_000,
  backoffMostMs: 30_000,
  retryAfterCapMs: 60_000,
  firstContentMs: 180_000,
  contentGapMs: 120_000,
  turnMs: 1_800_000,
  toolTimeoutMs: 120_000,
  manifestToolTimeoutMs: 60_000,
  resultCapBytes: 65_536,
  graceMs: 2_000,
  queueLength: 64,
  cutTurns: 3,
  parallelReads: 8,
  /** Sent where a provider insists on an output limit, and reserved in the ledger where none is set. */
  maxOutputTokens: 8_192,
} as const;
