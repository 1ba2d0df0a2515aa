/**
 * AgentData: an agent that can be written down, for where no module is at hand: the command line and others
 * that only know a model's name and a manifest. Paths in it are absolute by the time it crosses to a thread.
 */
import * as v from 'valibot';
import { runConfigSchema } from '../runtime/schema/config.ts';

const text = v.pipe(v.string(), v.minLength(1));

/** An agent as data. `agentFromData` turns it into an agent. */
export const agentDataSchema = v.strictObject({
  /** Model spec: `anthropic:<model>`, `openai:<model>`, `openai-compatible:<model>` or `script:<file>`. */
  model: text,
  /** URL of the provider, in place of the one from the environment. */
  base_url: v.optional(text),
  /** Path of a manifest of command tools. */
  tools: v.optional(text),
  /** System prompt. */
  system: v.optional(v.string()),
  config: v.optional(runConfigSchema),
  /** Runs calls that ask for a confirmation without asking. */
  skip_confirm: v.optional(v.boolean()),
  /** Whether costs are estimated from the price list; default true. A script has no price. */
  prices: v.optional(v.boolean()),
});

/** An agent as data. */
export type AgentData = v.InferOutput<typeof agentDataSchema>;
