/**
 * Lines of a recording. Line one is the header; then one event a line, from one run or from several,
 * and for a chat its prompts and its exit. Reading is tolerant: an unknown line is reported, not fatal.
 */
import * as v from 'valibot';
import { durableEventSchema, ephemeralEventSchema } from './event.ts';

/** First line of a recording. */
export const recordingHeaderSchema = v.object({
  type: v.literal('recording'),
  version: v.literal(1),
  /** Version of steerloop that wrote it. */
  steerloop: v.string(),
  /** `run` or `chat`. */
  kind: v.picklist(['run', 'chat']),
  /** Milliseconds since the epoch. */
  time: v.number(),
});

/** What a person typed at the prompt of a chat. */
export const chatPromptSchema = v.object({ type: v.literal('chat_prompt'), time: v.number(), text: v.string() });

/** How a chat ended. */
export const chatExitSchema = v.object({ type: v.literal('chat_exit'), time: v.number(), code: v.number() });

/** Any line of a recording. */
export const recordingLineSchema = v.variant('type', [
  recordingHeaderSchema,
  chatPromptSchema,
  chatExitSchema,
  durableEventSchema,
  ephemeralEventSchema,
]);

/** First line of a recording. */
export type RecordingHeader = v.InferOutput<typeof recordingHeaderSchema>;
/** A line that only a chat writes. */
export type ChatLine = v.InferOutput<typeof chatPromptSchema> | v.InferOutput<typeof chatExitSchema>;
/** Any line of a recording. */
export type RecordingLine = v.InferOutput<typeof recordingLineSchema>;
