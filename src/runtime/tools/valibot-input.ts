/**
 * A tool's input declared as a valibot schema: the model is shown what of it JSON Schema can say, and valibot itself
 * checks the arguments, with everything else that it can say (checks, transformations, defaults).
 */
import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { ConfigError, describeError } from '../errors.ts';
import { type JsonObject, MOST_LEVELS } from '../schema/json.ts';
import { shorten } from '../shorten.ts';
import { ownCopy, ownObject } from './json-schema/own-copy.ts';
import type { ArgumentCheck } from './tool.ts';
import { assertObjectSchema, type ToolInput } from './tool-input.ts';

/** A valibot schema, with or without asynchronous parts. */
export type ValibotSchema =
  | v.BaseSchema<unknown, unknown, v.BaseIssue<unknown>>
  | v.BaseSchemaAsync<unknown, unknown, v.BaseIssue<unknown>>;

const MOST_ISSUES = 5;
const MOST_MESSAGE = 300;

/** Whether a value is a valibot schema. */
export function isValibotSchema(value: unknown): value is ValibotSchema {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema' && '~run' in value;
}

/** Input by valibot schema. Throws a ConfigError that names the subject when JSON has no such data (a Date, a bigint). */
export function valibotInput(subject: string, schema: ValibotSchema): ToolInput {
  const shown = shownSchema(subject, schema);
  assertObjectSchema(subject, shown);
  return { schema: shown, check: (args) => checkArguments(schema, args) };
}

function shownSchema(subject: string, schema: ValibotSchema): JsonObject {
  try {
    const json = toJsonSchema(schema as v.BaseSchema<unknown, unknown, v.BaseIssue<unknown>>, {
      target: 'draft-2020-12',
      typeMode: 'input',
      // What JSON Schema cannot say (a check function, a flag of a pattern) is not shown, but still checked by valibot.
      overrideAction: ({ errors, jsonSchema, valibotAction }) => {
        if (errors === undefined) return undefined;
        return isFlaggedPattern(valibotAction, jsonSchema.pattern) ? { ...jsonSchema, pattern: undefined } : jsonSchema;
      },
    });
    const { $schema: _, ...shown } = JSON.parse(JSON.stringify(json)) as JsonObject;
    return shown;
  } catch (error) {
    throw new ConfigError(
      'bad_tool',
      `${subject}: the input cannot be shown to a model: ${describeError(error)} Use schemas for what JSON holds, and a transformation for the rest.`,
      { cause: error },
    );
  }
}

/** Whether a pattern would mean something else without its flags, and so must not be shown. */
function isFlaggedPattern(action: object, pattern: unknown): boolean {
  const requirement = 'requirement' in action ? action.requirement : undefined;
  return requirement instanceof RegExp && requirement.source === pattern && /[ims]/u.test(requirement.flags);
}

async function checkArguments(schema: ValibotSchema, args: JsonObject): Promise<ArgumentCheck> {
  try {
    if (!ownCopy(args).ok) return { ok: false, problem: `nested deeper than ${MOST_LEVELS} levels; send flatter data` };
    // Inheriting nothing, so that a property called `constructor` is there only when it was sent.
    const result = await v.safeParseAsync(schema, Object.assign(ownObject(), args));
    return result.success ? { ok: true, value: result.output } : { ok: false, problem: describeIssues(result.issues) };
  } catch (error) {
    // A check function of the schema threw.
    return { ok: false, problem: `cannot be checked: ${describeError(error)}` };
  }
}

function describeIssues(issues: readonly v.BaseIssue<unknown>[]): string {
  const told = issues.slice(0, MOST_ISSUES).map(describeIssue);
  return issues.length > MOST_ISSUES ? `${told.join('; ')}; and more` : told.join('; ');
}

function describeIssue(issue: v.BaseIssue<unknown>): string {
  const path = (issue.path ?? []).map((item) => String(item.key).replaceAll('~', '~0').replaceAll('/', '~1'));
  const pointer = path.map((token) => `/${token}`).join('');
  const text = pointer === '' ? issue.message : `${pointer}: ${issue.message}`;
  return shorten(text, MOST_MESSAGE);
}
