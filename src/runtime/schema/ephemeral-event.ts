/** Ephemeral events: seen live, not part of the journal; a slow reader may get them merged or not at all. */
import * as v from 'valibot';
import { eventEnvelope as ephemeral } from './event-envelope.ts';
import { jsonValueSchema } from './json.ts';

/** Text of the reply, as it streams. */
const textDeltaSchema = v.object({ type: v.literal('text_delta'), ...ephemeral, attempt: v.number(), text: v.string() });

/** Reasoning, as it streams. */
const thinkingDeltaSchema = v.object({ type: v.literal('thinking_delta'), ...ephemeral, attempt: v.number(), text: v.string() });

/** Arguments of a call, as they stream; `call` counts the calls of the turn from 0. */
const toolInputDeltaSchema = v.object({
  type: v.literal('tool_input_delta'),
  ...ephemeral,
  attempt: v.number(),
  call: v.number(),
  name: v.optional(v.string()),
  text: v.string(),
});

/** What a running tool prints. */
const toolOutputSchema = v.object({ type: v.literal('tool_output'), ...ephemeral, call_id: v.string(), text: v.string() });

/** What a tool emits of its own. */
const customSchema = v.object({
  type: v.literal('custom'),
  ...ephemeral,
  call_id: v.optional(v.string()),
  name: v.string(),
  data: v.optional(jsonValueSchema),
});

/** How things stand; also tells a reader how many ephemeral events it lost. */
const statusSchema = v.object({
  type: v.literal('status'),
  ...ephemeral,
  code: v.string(),
  message: v.optional(v.string()),
  lost_events: v.optional(v.number()),
});

/** Events that only those who watch live see. */
export const ephemeralEventSchema = v.variant('type', [
  textDeltaSchema,
  thinkingDeltaSchema,
  toolInputDeltaSchema,
  toolOutputSchema,
  customSchema,
  statusSchema,
]);

/** An event that only those who watch live see. */
export type EphemeralEvent = v.InferOutput<typeof ephemeralEventSchema>;
