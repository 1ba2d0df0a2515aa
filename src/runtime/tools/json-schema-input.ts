/** A tool's input declared as a JSON Schema. Wrong schemas are refused at once, wrong patterns when the engine is there. */
import { ConfigError, describeError } from '../errors.ts';
import type { JsonObject } from '../schema/json.ts';
import { compilePlan, type SchemaCheck } from './json-schema/check-schema.ts';
import { planSchema } from './json-schema/plan-schema.ts';
import type { ArgumentCheck } from './tool.ts';
import { assertObjectSchema, type ToolInput } from './tool-input.ts';

/**
 * Input by JSON Schema (draft as `$schema` says, 2020-12 without it). Throws a ConfigError that names the subject for a
 * schema that is wrong; `prepare` rejects with one for a pattern that the engine cannot compile. The schema is copied.
 */
export function jsonSchemaInput(subject: string, schema: unknown): ToolInput {
  const plan = planSchema(schema, { subject });
  const shown: JsonObject = JSON.parse(JSON.stringify(schema));
  assertObjectSchema(subject, shown);
  let ready: SchemaCheck | undefined;
  let compiling: Promise<SchemaCheck> | undefined;

  const prepare = async (): Promise<SchemaCheck> => {
    compiling ??= compilePlan(plan);
    try {
      ready = await compiling;
      return ready;
    } catch (error) {
      // What failed to load may load the next time.
      if (!(error instanceof ConfigError)) compiling = undefined;
      throw error;
    }
  };

  return {
    schema: shown,
    prepare: async () => void (await prepare()),
    check: (args) => (ready === undefined ? prepare().then((check) => verdict(check, args), unusable) : verdict(ready, args)),
  };
}

function verdict(check: SchemaCheck, args: JsonObject): ArgumentCheck {
  const result = check.check(args);
  return result.ok ? { ok: true, value: args } : result;
}

function unusable(error: unknown): ArgumentCheck {
  return { ok: false, problem: `cannot be checked: ${describeError(error)}` };
}
