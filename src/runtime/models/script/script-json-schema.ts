/** The JSON Schema of scripts, for editors and for whoever writes scripts by program. */
import type { JsonObject, JsonValue } from '../../schema/json.ts';
import { jsonObjectSchema } from '../../schema/json.ts';
import { scriptSchema } from './script-schema.ts';

/**
 * The JSON Schema (draft 7) of a script, with a description for every key. Loads the converter when called. Rules between
 * keys (`arguments` or `arguments_text`, one way to end) are not in it; `parseScript` knows them.
 */
export async function scriptJsonSchema(): Promise<JsonObject> {
  const { toJsonSchema } = await import('@valibot/to-json-schema');
  const schema = toJsonSchema(scriptSchema, {
    errorMode: 'ignore',
    overrideSchema: ({ valibotSchema }) => (valibotSchema === jsonObjectSchema ? { type: 'object' } : undefined),
  });
  return { title: 'Script of a model', ...asJson(schema) };
}

function asJson(schema: object): JsonObject {
  return Object.fromEntries(Object.entries(schema).map(([key, value]: [string, JsonValue]) => [key, value]));
}
