/**
 * Controls: data that asks something of a run in flight. The same object whether typed at a
 * terminal, read from a file, sent over HTTP or posted to a thread. Strict: an unknown key is refused.
 */
import * as v from 'valibot';
import { runConfigSchema } from './config.ts';
import { jsonObjectSchema } from './json.ts';
import { imageBlockSchema, textBlockSchema } from './message.ts';

const id = v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(200)));

/** Text and pictures, as a list of blocks; blank ones are left out later. */
export const userBlocksSchema = v.pipe(v.array(v.variant('type', [textBlockSchema, imageBlockSchema])), v.minLength(1));

/** What a person may say: text, or text and pictures. */
export const userContentSchema = v.union(
  [
    v.pipe(
      v.string(),
      v.check((text) => text.trim() !== '', 'a message must hold more than blanks'),
    ),
    v.pipe(
      userBlocksSchema,
      v.check(
        (blocks) => blocks.some((block) => block.type === 'image' || block.text.trim() !== ''),
        'a message must hold more than blanks',
      ),
    ),
  ],
  'expected a text, or a list of text and image blocks',
);

/** Add a user message. */
export const injectControlSchema = v.strictObject({
  type: v.literal('inject'),
  id,
  message: userContentSchema,
  delivery: v.optional(v.picklist(['next_step', 'now', 'after_run'])),
});

/** Change settings from the next model request on. */
export const modifyConfigControlSchema = v.strictObject({
  type: v.literal('modify_config'),
  id,
  ...runConfigSchema.entries,
});

/** End the run. */
export const stopControlSchema = v.strictObject({
  type: v.literal('stop'),
  id,
  mode: v.optional(v.picklist(['now', 'after_step'])),
  reason: v.optional(v.string()),
});

/** Answer an approval. */
export const decideControlSchema = v.strictObject({
  type: v.literal('decide'),
  id,
  call_id: v.optional(v.string()),
  decision: v.picklist(['allow', 'deny']),
  arguments: v.optional(jsonObjectSchema),
  reason: v.optional(v.string()),
  remember: v.optional(v.picklist(['run', 'session'])),
  by: v.optional(v.string()),
});

/** Answer a pause. */
export const answerControlSchema = v.strictObject({
  type: v.literal('answer'),
  id,
  call_id: v.optional(v.string()),
  content: userContentSchema,
});

/** End one tool call. */
export const cancelCallControlSchema = v.strictObject({
  type: v.literal('cancel_call'),
  id,
  call_id: v.string(),
});

/** Any control. */
export const controlSchema = v.variant('type', [
  injectControlSchema,
  modifyConfigControlSchema,
  stopControlSchema,
  decideControlSchema,
  answerControlSchema,
  cancelCallControlSchema,
]);

/** The one thing that becomes of an accepted control. */
export const fateSchema = v.variant('kind', [
  v.object({ kind: v.literal('applied') }),
  /** In the request of that iteration; written before the request leaves. */
  v.object({ kind: v.literal('included'), iteration: v.number() }),
  /** Not seen by the model; `text` is what was to be said. */
  v.object({ kind: v.literal('returned'), reason: v.string(), text: v.string() }),
  v.object({ kind: v.literal('rejected'), reason: v.string() }),
]);

/** Text, or text and pictures. */
export type UserContent = v.InferOutput<typeof userContentSchema>;
/** Change settings. */
export type ModifyConfigControl = v.InferOutput<typeof modifyConfigControlSchema>;
/** End the run. */
export type StopControl = v.InferOutput<typeof stopControlSchema>;
/** Any control. */
export type Control = v.InferOutput<typeof controlSchema>;
/** What became of a control. */
export type Fate = v.InferOutput<typeof fateSchema>;

/** A control as text that is equal for equal content, its id left out. */
export function controlFingerprint(control: Control): string {
  const { id: _id, ...content } = control;
  return JSON.stringify(Object.entries(content).sort(([a], [b]) => (a < b ? -1 : 1)));
}
