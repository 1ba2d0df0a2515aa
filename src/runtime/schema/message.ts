/**
 * Messages and their blocks: the conversation as the loop keeps it, the same for every provider.
 * Adapters translate to and from it; a block carries what its provider must get back untouched.
 */
import * as v from 'valibot';
import { jsonObjectSchema } from './json.ts';

const fromProvider = {
  /** Provider that made the block; its own data goes back to that provider and to no other. */
  provider: v.optional(v.string()),
  /** What the provider wants back with the block, untouched. */
  provider_data: v.optional(jsonObjectSchema),
};

/** Plain text. */
export const textBlockSchema = v.object({ type: v.literal('text'), text: v.string(), ...fromProvider });

/** A picture: either base64 `data` with its `media_type`, or a `url`. */
export const imageBlockSchema = v.pipe(
  v.object({
    type: v.literal('image'),
    media_type: v.optional(v.string()),
    data: v.optional(v.string()),
    url: v.optional(v.string()),
    ...fromProvider,
  }),
  v.check(
    (image) => (image.url !== undefined) !== (image.data !== undefined && image.media_type !== undefined),
    'an image needs either url, or data (base64) and media_type',
  ),
);

/** The model's reasoning; `signature` is the provider's seal and forbids any change of `text`. */
export const thinkingBlockSchema = v.object({
  type: v.literal('thinking'),
  text: v.string(),
  signature: v.optional(v.string()),
  ...fromProvider,
});

/** Reasoning that the provider keeps sealed. */
export const redactedThinkingBlockSchema = v.object({
  type: v.literal('redacted_thinking'),
  data: v.string(),
  ...fromProvider,
});

/** A tool call that the model asked for. Where its arguments did not parse, `arguments` is `{}` and `arguments_text` what was sent. */
export const toolUseBlockSchema = v.object({
  type: v.literal('tool_use'),
  call_id: v.string(),
  name: v.string(),
  arguments: jsonObjectSchema,
  arguments_text: v.optional(v.string()),
  ...fromProvider,
});

/** How a tool call ended. `interrupted`: had started, may have had effects. `not_run`: had not. */
export const toolOutcomeSchema = v.picklist([
  'ok',
  'error',
  'denied',
  'invalid_arguments',
  'unknown_tool',
  'timeout',
  'interrupted',
  'not_run',
  'unknown_outcome',
]);

/** What a tool result holds. */
export const resultContentSchema = v.variant('type', [textBlockSchema, imageBlockSchema]);

/** The one result of one call. */
export const toolResultBlockSchema = v.object({
  type: v.literal('tool_result'),
  call_id: v.string(),
  content: v.array(resultContentSchema),
  is_error: v.boolean(),
  outcome: v.optional(toolOutcomeSchema),
});

/** Any block of a message. */
export const blockSchema = v.variant('type', [
  textBlockSchema,
  imageBlockSchema,
  thinkingBlockSchema,
  redactedThinkingBlockSchema,
  toolUseBlockSchema,
  toolResultBlockSchema,
]);

/** One message of the conversation. `time` in milliseconds since the epoch; `interrupted` marks a reply that was cut. */
export const messageSchema = v.object({
  id: v.string(),
  role: v.picklist(['user', 'assistant', 'system']),
  content: v.array(blockSchema),
  time: v.number(),
  interrupted: v.optional(v.boolean()),
});

/** Text. */
export type TextBlock = v.InferOutput<typeof textBlockSchema>;
/** A picture. */
export type ImageBlock = v.InferOutput<typeof imageBlockSchema>;
/** Reasoning. */
export type ThinkingBlock = v.InferOutput<typeof thinkingBlockSchema>;
/** Sealed reasoning. */
export type RedactedThinkingBlock = v.InferOutput<typeof redactedThinkingBlockSchema>;
/** A tool call. */
export type ToolUseBlock = v.InferOutput<typeof toolUseBlockSchema>;
/** A tool result. */
export type ToolResultBlock = v.InferOutput<typeof toolResultBlockSchema>;
/** Text or picture of a tool result. */
export type ResultContent = v.InferOutput<typeof resultContentSchema>;
/** How a tool call ended. */
export type ToolOutcome = v.InferOutput<typeof toolOutcomeSchema>;
/** Any block. */
export type Block = v.InferOutput<typeof blockSchema>;
/** A block that an assistant message may hold. */
export type AssistantBlock = TextBlock | ImageBlock | ThinkingBlock | RedactedThinkingBlock | ToolUseBlock;
/** One message. */
export type Message = v.InferOutput<typeof messageSchema>;

/** The tool calls of a message, in order. */
export function callsOf(message: Message): ToolUseBlock[] {
  return message.content.filter((block) => block.type === 'tool_use');
}

/** The text of a message, its text blocks joined. */
export function textOf(message: Message): string {
  let text = '';
  for (const block of message.content) if (block.type === 'text') text += block.text;
  return text;
}
