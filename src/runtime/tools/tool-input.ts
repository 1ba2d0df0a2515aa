/** The input of a tool, however it is declared: what the model is shown, and how arguments are checked against it. */
import { ConfigError } from '../errors.ts';
import type { JsonObject } from '../schema/json.ts';
import type { ArgumentCheck } from './tool.ts';

/** A tool's input, ready to be shown and checked. */
export interface ToolInput {
  /** JSON Schema for the model; its top is an object. */
  readonly schema: JsonObject;
  /** Rejects with a ConfigError where the schema turns out to be unusable. May be called again. */
  prepare?(): Promise<void>;
  check(args: JsonObject): ArgumentCheck | Promise<ArgumentCheck>;
}

/** Throws a ConfigError unless the schema says at its top that it is an object, as every provider insists. */
export function assertObjectSchema(subject: string, schema: JsonObject): void {
  if (schema['type'] === 'object') return;
  const type = schema['type'] === undefined ? 'no type' : `type ${JSON.stringify(schema['type'])}`;
  throw new ConfigError(
    'bad_tool',
    `${subject}: the input schema has ${type} at its top, expected "type": "object". Arguments always are an object; put other data under a property.`,
  );
}
