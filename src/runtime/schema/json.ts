/**
 * JSON as a type and as a schema: what may stand inside data that crosses a border.
 * The schema only looks at the outside (an object is an object); text that came through
 * `JSON.parse` or a structured clone needs no deeper walk.
 */
import * as v from 'valibot';

/** Anything that JSON can say. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** A JSON object. */
export type JsonObject = { [key: string]: JsonValue };

/**
 * Accepts any value and types it as JSON; the sender guarantees that it is. The annotation keeps the recursive type
 * out of the schema's input: written into the published declarations it is too deep for the compiler to check.
 */
export const jsonValueSchema: v.GenericSchema<unknown, JsonValue> = v.custom<JsonValue>((value) => value !== undefined);

/** Accepts a plain object and types it as a JSON object. */
export const jsonObjectSchema = v.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'expected an object',
);

/** The value of a JSON text; undefined where it is none. Never throws. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No JSON has the value undefined; each caller knows what its absence means.
    return undefined;
  }
}

/** Says whether a value is a JSON object (not null, not an array). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A copy of JSON data that shares nothing with it. Not for data that is too deep. */
export function copyJson<T extends JsonValue>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => copyJson(item)) as JsonValue as T;
  const entries = Object.entries(value).map(([key, item]) => [key, copyJson(item)] as const);
  // Not assigned: a key `__proto__` would be taken for the prototype.
  return Object.fromEntries(entries) as JsonValue as T;
}

/** Most levels of nesting in what a model or a tool's caller sends: everything that looks at data walks it. */
export const MOST_LEVELS = 200;

/** Whether data has more levels than are taken. Looks no deeper than that itself. */
export function isTooDeep(value: JsonValue, level = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (level >= MOST_LEVELS) return true;
  for (const item of Array.isArray(value) ? value : Object.values(value)) if (isTooDeep(item, level + 1)) return true;
  return false;
}
