/**
 * Events: data that tells what happened. Durable ones carry `seq` and are the journal; ephemeral ones
 * carry none and may be merged or dropped for a slow reader. Tolerant of unknown keys, since recordings
 * outlive versions. Each is a fact in the order in which it became true.
 */
import * as v from 'valibot';
import { runConfigSchema, stopRuleSchema } from './config.ts';
import { controlSchema, fateSchema, userContentSchema } from './control.ts';
import { errorClassSchema, errorDataSchema } from './error-data.ts';
import { jsonObjectSchema, jsonValueSchema } from './json.ts';
import { messageSchema, resultContentSchema, toolOutcomeSchema } from './message.ts';
import { toolDefinitionSchema, toolEffectSchema } from './tool-definition.ts';
import { usageSchema } from './usage.ts';

/** Why a run ended. */
export const doneReasonSchema = v.picklist([
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

/** Why a reply stopped; `raw_stop_reason` of the turn keeps the provider's own word. */
export const stopReasonSchema = v.picklist([
  'end_turn',
  'tool_use',
  'max_tokens',
  'stop_sequence',
  'refusal',
  'pause_turn',
  'context_overflow',
  'interrupted',
  'other',
]);

/** What of a run can be limited. */
export const limitSchema = v.picklist([
  'max_iterations',
  'max_tool_calls',
  'timeout_ms',
  'max_total_tokens',
  'max_cost_usd',
  'person_timeout_ms',
]);

const anyEvent = {
  run_id: v.string(),
  /** Iteration in which it happened; 0 before the first. */
  iteration: v.number(),
  /** Milliseconds since the epoch. */
  time: v.number(),
  /** `host`: written for a thread that had died. Left out: by the loop itself. */
  origin: v.optional(v.picklist(['loop', 'host'])),
};
const durable = { ...anyEvent, seq: v.number() };
const ephemeral = { ...anyEvent };

/** Provider and model. */
export const modelNameSchema = v.object({ provider: v.string(), model: v.string() });

/** Which run another one goes on from. */
export const parentSchema = v.object({ run_id: v.string(), seq: v.number(), kind: v.picklist(['resume', 'fork']) });

/** The run begins: everything it was given. */
export const runStartedSchema = v.object({
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
export const runResumedSchema = v.object({
  type: v.literal('run_resumed'),
  ...durable,
  by: v.optional(v.string()),
  from_seq: v.number(),
  changed: v.optional(v.array(v.string())),
});

/** A new iteration, with the messages that the loop itself adds to the conversation. */
export const iterationStartedSchema = v.object({
  type: v.literal('iteration_started'),
  ...durable,
  messages: v.array(messageSchema),
});

/** A control was accepted. */
export const controlReceivedSchema = v.object({
  type: v.literal('control_received'),
  ...durable,
  control_id: v.string(),
  control: controlSchema,
  by: v.optional(v.string()),
});

/** What became of a control: one such event for each `control_received`. */
export const controlAppliedSchema = v.object({
  type: v.literal('control_applied'),
  ...durable,
  control_id: v.string(),
  fate: fateSchema,
  /** The user message as it entered the conversation, when the fate is `included`. */
  message: v.optional(messageSchema),
});

/** Parameters of a model request. */
export const requestParamsSchema = v.object({
  max_output_tokens: v.optional(v.number()),
  temperature: v.optional(v.number()),
  thinking: v.optional(v.picklist(['off', 'low', 'medium', 'high'])),
  /** `auto`, `none`, `required`, or the name of one tool in an object. */
  tool_choice: v.optional(v.union([v.picklist(['auto', 'none', 'required']), v.object({ name: v.string() })])),
  /** Further fields of the provider's own request body. */
  extra_body: v.optional(jsonObjectSchema),
});

/** A request, written against the one before it: what is left out is unchanged. */
export const requestDeltaSchema = v.object({
  /** `null`: there is no system prompt any more. */
  system: v.optional(v.nullable(v.string())),
  tools: v.optional(v.array(toolDefinitionSchema)),
  params: v.optional(requestParamsSchema),
  /** How many messages of the previous request stand at the head of this one. */
  keep: v.number(),
  append: v.array(messageSchema),
});

/** The audit record of one model turn. */
export const llmTurnSchema = v.object({
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
export const retrySchema = v.object({
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
export const toolCallSchema = v.object({
  type: v.literal('tool_call'),
  ...durable,
  call_id: v.string(),
  name: v.string(),
  arguments: jsonObjectSchema,
  arguments_text: v.optional(v.string()),
});

/** A person or a policy is asked. */
export const approvalRequestedSchema = v.object({
  type: v.literal('approval_requested'),
  ...durable,
  call_id: v.string(),
  name: v.string(),
  arguments: jsonObjectSchema,
  effect: toolEffectSchema,
  display: v.optional(v.string()),
});

/** What was decided, by whom. */
export const approvalDecidedSchema = v.object({
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
export const awaitingInputSchema = v.object({
  type: v.literal('awaiting_input'),
  ...durable,
  kind: v.picklist(['answer', 'message']),
  call_id: v.optional(v.string()),
  question: v.optional(v.string()),
});

/** It came. */
export const inputReceivedSchema = v.object({
  type: v.literal('input_received'),
  ...durable,
  call_id: v.optional(v.string()),
  control_id: v.optional(v.string()),
  content: v.optional(userContentSchema),
});

/** The intent to run a call, right before it runs. */
export const toolStartedSchema = v.object({
  type: v.literal('tool_started'),
  ...durable,
  call_id: v.string(),
  name: v.string(),
  arguments: jsonObjectSchema,
  effect: toolEffectSchema,
});

/** The one result of a call, in finish order. */
export const toolResultSchema = v.object({
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
export const reviewSchema = v.object({
  type: v.literal('review'),
  ...durable,
  scope: v.picklist(['iteration', 'finish']),
  round: v.number(),
  request: v.optional(requestDeltaSchema),
  usage: usageSchema,
  cost_usd: v.nullable(v.number()),
  verdict: v.picklist(['approved', 'rejected', 'unreviewed']),
  feedback: v.optional(v.string()),
  reason: v.optional(v.string()),
});

/** Old messages were replaced by a summary: messages `from` (inclusive) to `to` (exclusive). */
export const compactedSchema = v.object({
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
export const childEventSchema = v.object({
  type: v.literal('child_event'),
  ...durable,
  call_id: v.string(),
  event: jsonObjectSchema,
});

/** A limit ends the run, or asks to. */
export const limitReachedSchema = v.object({
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
export const limitExtendedSchema = v.object({
  type: v.literal('limit_extended'),
  ...durable,
  limit: limitSchema,
  limit_value: v.number(),
  by: v.optional(v.string()),
});

/** From here on another model answers. */
export const modelChangedSchema = v.object({ type: v.literal('model_changed'), ...durable, model: modelNameSchema });

/** From here on other tools are offered. */
export const toolsChangedSchema = v.object({
  type: v.literal('tools_changed'),
  ...durable,
  tools: v.array(toolDefinitionSchema),
});

/** The run waits for its turn at a shared limiter. */
export const limiterWaitSchema = v.object({
  type: v.literal('limiter_wait'),
  ...durable,
  limiter: v.string(),
  wait_ms: v.optional(v.number()),
});

/** The run gave its thread back and goes on from its journal later. */
export const parkedSchema = v.object({ type: v.literal('parked'), ...durable, reason: v.string() });

/** Something odd that the run survived. `config` is the configuration in force from here on, where it changed. */
export const warningSchema = v.object({
  type: v.literal('warning'),
  ...durable,
  code: v.string(),
  message: v.string(),
  config: v.optional(runConfigSchema),
});

/** An injected message that no model request has held. */
export const unseenSchema = v.object({ control_id: v.string(), message: userContentSchema });

/** The run is over. Exactly one, always last. */
export const doneSchema = v.object({
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

/** Text of the reply, as it streams. */
export const textDeltaSchema = v.object({ type: v.literal('text_delta'), ...ephemeral, attempt: v.number(), text: v.string() });

/** Reasoning, as it streams. */
export const thinkingDeltaSchema = v.object({ type: v.literal('thinking_delta'), ...ephemeral, attempt: v.number(), text: v.string() });

/** Arguments of a call, as they stream; `call` counts the calls of the turn from 0. */
export const toolInputDeltaSchema = v.object({
  type: v.literal('tool_input_delta'),
  ...ephemeral,
  attempt: v.number(),
  call: v.number(),
  name: v.optional(v.string()),
  text: v.string(),
});

/** What a running tool prints. */
export const toolOutputSchema = v.object({ type: v.literal('tool_output'), ...ephemeral, call_id: v.string(), text: v.string() });

/** What a tool emits of its own. */
export const customSchema = v.object({
  type: v.literal('custom'),
  ...ephemeral,
  call_id: v.optional(v.string()),
  name: v.string(),
  data: v.optional(jsonValueSchema),
});

/** How things stand; also tells a reader how many ephemeral events it lost. */
export const statusSchema = v.object({
  type: v.literal('status'),
  ...ephemeral,
  code: v.string(),
  message: v.optional(v.string()),
  lost_events: v.optional(v.number()),
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

/** Events that only those who watch live see. */
export const ephemeralEventSchema = v.variant('type', [
  textDeltaSchema,
  thinkingDeltaSchema,
  toolInputDeltaSchema,
  toolOutputSchema,
  customSchema,
  statusSchema,
]);

/** An event of the journal. */
export type DurableEvent = v.InferOutput<typeof durableEventSchema>;
/** An event that only those who watch live see. */
export type EphemeralEvent = v.InferOutput<typeof ephemeralEventSchema>;
/** Any event of a run. */
export type RunEvent = DurableEvent | EphemeralEvent;
/** A durable event of one type. */
export type DurableEventOf<T extends DurableEvent['type']> = Extract<DurableEvent, { type: T }>;
/** Why a run ended. */
export type DoneReason = v.InferOutput<typeof doneReasonSchema>;
/** Why a reply stopped. */
export type StopReason = v.InferOutput<typeof stopReasonSchema>;
/** What of a run can be limited. */
export type Limit = v.InferOutput<typeof limitSchema>;
/** Provider and model. */
export type ModelName = v.InferOutput<typeof modelNameSchema>;
/** Parameters of a model request. */
export type RequestParams = v.InferOutput<typeof requestParamsSchema>;
/** A request against the one before it. */
export type RequestDelta = v.InferOutput<typeof requestDeltaSchema>;
/** The end of a run. */
export type DoneEvent = DurableEventOf<'done'>;

/** What the loop says of an event before it is stamped with run, iteration, time and seq. */
export type Unstamped<E> = E extends unknown ? Omit<E, 'run_id' | 'iteration' | 'time' | 'seq' | 'origin'> : never;

/** The name of a model, and nothing else of it. */
export function nameOf({ provider, model }: ModelName): ModelName {
  return { provider, model };
}

/** Tells the journal's events from the others. */
export function isDurable(event: RunEvent): event is DurableEvent {
  return 'seq' in event && event.seq !== undefined;
}
