/**
 * Reads one line of a recording. Tolerant, since recordings outlive versions: unknown keys are fine wherever
 * they stand, also in settings and controls, which the live channel refuses to take with them. What was read is
 * handed on as it was written, so that printing it again gives the same text.
 */
import * as v from 'valibot';
import { durableEventSchema, ephemeralEventSchema } from '../schema/event.ts';
import { isJsonObject, parseJson } from '../schema/json.ts';
import { chatExitSchema, chatPromptSchema, type RecordingLine, recordingHeaderSchema } from '../schema/recording.ts';
import { shorten } from '../shorten.ts';

/** Why a line could not be read. */
export type LineProblemCode = 'not_json' | 'unknown_type' | 'unknown_version' | 'wrong_shape';

/** What reading a line says: the line, or what is wrong with it. */
export type ParsedLine =
  | { readonly ok: true; readonly line: RecordingLine }
  | { readonly ok: false; readonly code: LineProblemCode; readonly message: string };

const MOST_MESSAGE = 300;

const schemas = new Map<string, v.GenericSchema>(
  [recordingHeaderSchema, chatPromptSchema, chatExitSchema, ...durableEventSchema.options, ...ephemeralEventSchema.options].map(
    (schema) => [schema.entries.type.literal, schema],
  ),
);

/** Reads one line, given without its line break. Never throws. */
export function parseLine(text: string): ParsedLine {
  const value = parseJson(text);
  if (!isJsonObject(value)) return problem('not_json', 'is no whole JSON object');
  const { type } = value;
  const schema = typeof type === 'string' ? schemas.get(type) : undefined;
  if (schema === undefined)
    return problem('unknown_type', typeof type === 'string' ? `has the unknown type ${JSON.stringify(type)}` : 'has no type');
  if (type === 'recording' && value['version'] !== 1) {
    return problem('unknown_version', `is the header of version ${JSON.stringify(value['version'])}; what version 1 knows is read`);
  }
  const issue = firstIssue(schema, value);
  if (issue !== undefined) {
    const place = v.getDotPath(issue);
    return problem('wrong_shape', `is no valid ${type}: ${place === null ? '' : `${place}: `}${issue.message}`);
  }
  // The schemas only check and never transform, so the value as written has the type of their output.
  return { ok: true, line: value as unknown as RecordingLine };
}

function firstIssue(schema: v.GenericSchema, value: unknown): v.BaseIssue<unknown> | undefined {
  const result = v.safeParse(schema, value);
  return result.success ? undefined : result.issues.find((issue) => !isUnknownKey(issue));
}

/** A strict schema met a key it does not know. */
function isUnknownKey(issue: v.BaseIssue<unknown>): boolean {
  return issue.type === 'strict_object' && issue.expected === 'never';
}

function problem(code: LineProblemCode, message: string): ParsedLine {
  // A quoted value may be of any length.
  return { ok: false, code, message: shorten(message, MOST_MESSAGE) };
}
