/** What a model is asked and why its reply stopped, as data: parts of the audit record of a turn. */
import * as v from 'valibot';
import { jsonObjectSchema } from './json.ts';
import { messageSchema } from './message.ts';
import { toolDefinitionSchema } from './tool-definition.ts';

/** Provider and model. */
export const modelNameSchema = v.object({ provider: v.string(), model: v.string() });

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

/** Provider and model. */
export type ModelName = v.InferOutput<typeof modelNameSchema>;
/** Why a reply stopped. */
export type StopReason = v.InferOutput<typeof stopReasonSchema>;
/** Parameters of a model request. */
export type RequestParams = v.InferOutput<typeof requestParamsSchema>;
/** A request against the one before it. */
export type RequestDelta = v.InferOutput<typeof requestDeltaSchema>;

/** The name of a model, and nothing else of it. */
export function nameOf({ provider, model }: ModelName): ModelName {
  return { provider, model };
}
