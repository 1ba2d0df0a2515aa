/** A tool as the model and the journal see it: no function, only data. */
import * as v from 'valibot';
import { jsonObjectSchema } from './json.ts';

/** What running a tool does to the world; decides what may run side by side and what may run again. */
export const toolEffectSchema = v.picklist(['read', 'idempotent', 'write']);

/** Name, description and JSON Schema of the input, and how the loop may treat the call. */
export const toolDefinitionSchema = v.object({
  name: v.string(),
  description: v.string(),
  input_schema: jsonObjectSchema,
  effect: toolEffectSchema,
  interruptible: v.boolean(),
  confirm: v.optional(v.boolean()),
});

/** What running a tool does to the world. */
export type ToolEffect = v.InferOutput<typeof toolEffectSchema>;
/** A tool as data. */
export type ToolDefinition = v.InferOutput<typeof toolDefinitionSchema>;
