/**
 * Durable events: the journal of a run, numbered by `seq`. One schema each; tolerant of unknown keys, since recordings outlive
 * versions.
 */
import * as v from 'valibot';
import { runConfigSchema, stopRuleSchema } from './config.ts';
import { controlSchema, fateSchema, userContentSchema } from './control.ts';
import { errorClassSchema, errorDataSchema } from './error-data.ts';
import { eventEnvelope } from './event-envelope.ts';
import { jsonObjectSchema, jsonValueSchema } from './json.ts';
import { messageSchema, resultContentSchema, toolOutcomeSchema } from './message.ts';
import { modelNameSchema, requestDeltaSchema, stopReasonSchema } from './model-request.ts';
import { toolDefinitionSchema, toolEffectSchema } from './tool-definition.ts';
import { usageSchema } from './usage.ts';

const durable = { ...eventEnvelope, seq: v.number() };

/** Why a run ended. */
const doneReasonSchema = v.picklist([
  'finished',
  'stopped',
  'max_iterations',
  'timeout',
  'budget',
  'awaiting_human',
  'refused',
  'truncated',
  'empty',
  'error',
  'crashed',
]);

/** What of a run can be limited. */
const limitSchema = v.picklist(['max_iterations', 'max_tool_calls', 'timeout_ms', 'max_total_tokens', 'max_cost_usd', 'person_timeout_ms']);

/** Which run another one goes on from. */
const parentSchema = v.object({ run_id: v.string(), seq: v.number(), kind: v.picklist(['resume', 'fork']) });

/** The run begins: everything it was given. */
const runStartedSchema = v.object({
  type: v.literal('run_started'),
  ...durable,
  input: v.array(messageSchema),
  /** The agent's own system prompt and the input's system messages, without the stop rule. */
  system: v.optional(v.string()),
  stop_on: stopRuleSchema,
  /** What the stop rule adds to the system prompt. */
  stop_instructions: v.optional(v.string()),
  tools: v.array(toolDefinitionSchema),
  config: runConfigSchema,
  model: modelNameSchema,
  agent_version: v.optional(v.string()),
  /** Where prices come from; null: costs are not known. */
  prices: v.nullable(v.string()),
  session_id: v.optional(v.string()),
  owner: v.optional(v.string()),
  parent: v.optional(parentSchema),
  /** What was spent before, when this run goes on from another. */
  carried: v.optional(v.object({ iterations: v.number(), tool_calls: v.number(), usage: usageSchema, cost_usd: v.nullable(v.number()) })),
});

/** The same run goes on from its journal. */
const runResumedSchema = v.object({
  type: v.literal('run_resumed'),
  ...durable,
  by: v.optional(v.string()),
  from_seq: v.number(),
  changed: v.optional(v.array(v.string())),
});

/** A new iteration, with the messages that the loop itself adds to the conversation. */
const iterationStartedSchema = v.object({
  type: v.literal('iteration_started'),
  ...durable,
  messages: v.array(messageSchema),
});

/** A control was accepted. */
const controlReceivedSchema = v.object({
  type: v.literal('control_received'),
  ...durable,
  control_id: v.string(),
  control: controlSchema,
  by: v.optional(v.string()),
});

/** What became of a control: one such event for each `control_received`. */
const controlAppliedSchema = v.object({
  type: v.literal('control_applied'),
  ...durable,
  control_id: v.string(),
  fate: fateSchema,
  /** The user message as it entered the conversation, when the fate is `included`. */
  message: v.optional(messageSchema),
});

/** The audit record of one model turn. */
const llmTurnSchema = v.object({
  type: v.literal('llm_turn'),
  ...durable,
  model: modelNameSchema,
  request: requestDeltaSchema,
  /** The reply; null when nothing worth keeping came. */
  message: v.nullable(messageSchema),
  stop_reason: stopReasonSchema,
  raw_stop_reason: v.optional(v.string()),
  /** Calls that the output limit or an interruption cut: never executed. */
  cut_call_ids: v.optional(v.array(v.string())),
  usage: usageSchema,
  cost_usd: v.nullable(v.number()),
  latency_ms: v.number(),
  attempts: v.number(),
  interrupted: v.optional(v.boolean()),
  /** Why the last attempt failed, when the turn ended without a reply. */
  error: v.optional(errorDataSchema),
});

/** A model call failed and is made again; its text is void. */
const retrySchema = v.object({
  type: v.literal('retry'),
  ...durable,
  attempt: v.number(),
  error_class: errorClassSchema,
  message: v.string(),
  status: v.optional(v.number()),
  wait_ms: v.number(),
  usage: usageSchema,
  cost_usd: v.nullable(v.number()),
});

/** The model asks for a call. Nothing has run. */
const toolCallSchema = v.object({
  type: v.literal('tool_call'),
  ...durable,
  call_id: v.string(),
  name: v.string(),
  arguments: jsonObjectSchema,
  arguments_text: v.optional(v.string()),
});

/** A person or a policy is asked. */
const approvalRequestedSchema = v.object({
  type: v.literal('approval_requested'),
  ...durable,
  call_id: v.string(),
  name: v.string(),
  arguments: jsonObjectSchema,
  effect: toolEffectSchema,
  display: v.optional(v.string()),
});

/** What was decided, by whom. */
const approvalDecidedSchema = v.object({
  type: v.literal('approval_decided'),
  ...durable,
  call_id: v.string(),
  decision: v.picklist(['allow', 'deny']),
  reason: v.optional(v.string()),
  /** Arguments as edited by the decider; the original stand in `tool_call`. */
  arguments: v.optional(jsonObjectSchema),
  by: v.optional(v.string()),
  remember: v.optional(v.picklist(['run', 'session'])),
});

/** The run waits for a person: the answer to a pause, or the next message of a manual run. */
const awaitingInputSchema = v.object({
  type: v.literal('awaiting_input'),
  ...durable,
  kind: v.picklist(['answer', 'message']),
  call_id: v.optional(v.string()),
  question: v.optional(v.string()),
});

/** It came. */
const inputReceivedSchema = v.object({
  type: v.literal('input_received'),
  ...durable,
  call_id: v.optional(v.string()),
  control_id: v.optional(v.string()),
  content: v.optional(userContentSchema),
});

/** The intent to run a call, right before it runs. */
const toolStartedSchema = v.object({
  type: v.literal('tool_started'),
  ...durable,
  call_id: v.string(),
  name: v.string(),
  arguments: jsonObjectSchema,
  effect: toolEffectSchema,
});

/** The one result of a call, in finish order. */
const toolResultSchema = v.object({
  type: v.literal('tool_result'),
  ...durable,
  call_id: v.string(),
  name: v.string(),
  content: v.array(resultContentSchema),
  is_error: v.boolean(),
  outcome: toolOutcomeSchema,
  /** Bytes that the cap took off. */
  dropped_bytes: v.optional(v.number()),
  duration_ms: v.optional(v.number()),
});

/** A second call judged the work. */
const reviewSchema = v.object({
  type: v.literal('review'),
  ...durable,
  scope: v.picklist(['iteration', 'finish']),
  round: v.number(),
  request: v.optional(requestDeltaSchema),
  usage: usageSchema,
  cost_usd: v.nullable(v.number()),
  /** The verdict; left out where there is none. */
  approved: v.optional(v.boolean()),
  feedback: v.optional(v.string()),
  /** Why there is no verdict. */
  unreviewed: v.optional(v.string()),
});

/** Old messages were replaced by a summary: messages `from` (inclusive) to `to` (exclusive). */
const compactedSchema = v.object({
  type: v.literal('compacted'),
  ...durable,
  range: v.object({ from: v.number(), to: v.number() }),
  summary: messageSchema,
  request: v.optional(requestDeltaSchema),
  usage: usageSchema,
  cost_usd: v.nullable(v.number()),
  messages_before: v.number(),
  messages_after: v.number(),
  tokens_before: v.optional(v.number()),
  tokens_after: v.optional(v.number()),
});

/** An event of a run that a tool call of this one started. */
const childEventSchema = v.object({
  type: v.literal('child_event'),
  ...durable,
  call_id: v.string(),
  event: jsonObjectSchema,
});

/** A limit ends the run, or asks to. */
const limitReachedSchema = v.object({
  type: v.literal('limit_reached'),
  ...durable,
  limit: limitSchema,
  limit_value: v.number(),
  spent: v.number(),
  /** What the next step would have needed. */
  reserved: v.optional(v.number()),
  message: v.string(),
});

/** Somebody raised a limit. */
const limitExtendedSchema = v.object({
  type: v.literal('limit_extended'),
  ...durable,
  limit: limitSchema,
  limit_value: v.number(),
  by: v.optional(v.string()),
});

/** From here on another model answers. */
const modelChangedSchema = v.object({ type: v.literal('model_changed'), ...durable, model: modelNameSchema });

/** From here on other tools are offered. */
const toolsChangedSchema = v.object({
  type: v.literal('tools_changed'),
  ...durable,
  tools: v.array(toolDefinitionSchema),
});

/** The run waits for its turn at a shared limiter. */
const limiterWaitSchema = v.object({
  type: v.literal('limiter_wait'),
  ...durable,
  limiter: v.string(),
  wait_ms: v.optional(v.number()),
});

/** The run gave its thread back and goes on from its journal later. */
const parkedSchema = v.object({ type: v.literal('parked'), ...durable, reason: v.string() });

/** Something odd that the run survived. `config` is the configuration in force from here on, where it changed. */
const warningSchema = v.object({
  type: v.literal('warning'),
  ...durable,
  code: v.string(),
  message: v.string(),
  config: v.optional(runConfigSchema),
});

/** An injected message that no model request has held. */
const unseenSchema = v.object({ control_id: v.string(), message: userContentSchema });

/** The run is over. Exactly one, always last. */
const doneSchema = v.object({
  type: v.literal('done'),
  ...durable,
  reason: doneReasonSchema,
  /** The last reply's text, or the `result` of the finish tool. */
  final_content: v.string(),
  output: v.optional(jsonValueSchema),
  /** Of the whole run: turns, retries, reviews, compaction, children. */
  usage: usageSchema,
  cost_usd: v.nullable(v.number()),
  iterations: v.number(),
  tool_calls: v.number(),
  dropped_events: v.number(),
  unseen: v.array(unseenSchema),
  error: v.optional(errorDataSchema),
});

/** Events of the journal. */
export const durableEventSchema = v.variant('type', [
  runStartedSchema,
  runResumedSchema,
  iterationStartedSchema,
  controlReceivedSchema,
  controlAppliedSchema,
  llmTurnSchema,
  retrySchema,
  toolCallSchema,
  approvalRequestedSchema,
  approvalDecidedSchema,
  awaitingInputSchema,
  inputReceivedSchema,
  toolStartedSchema,
  toolResultSchema,
  reviewSchema,
  compactedSchema,
  childEventSchema,
  limitReachedSchema,
  limitExtendedSchema,
  modelChangedSchema,
  toolsChangedSchema,
  limiterWaitSchema,
  parkedSchema,
  warningSchema,
  doneSchema,
]);

/** An event of the journal. */
export type DurableEvent = v.InferOutput<typeof durableEventSchema>;
/** Why a run ended. */
export type DoneReason = v.InferOutput<typeof doneReasonSchema>;
/** What of a run can be limited. */
export type Limit = v.InferOutput<typeof limitSchema>;
