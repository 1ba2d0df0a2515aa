/**
 * What a model is told of a call that was not run because the call itself is wrong. Each text says that nothing
 * happened, what was wrong, and what to send instead. A tool that does not exist must not sound like a matter of
 * permission, or the model asks again.
 */
import { type JsonObject, MOST_LEVELS } from '../schema/json.ts';
import type { ToolDefinition } from '../schema/tool-definition.ts';
import { capText, cutText } from './cut-text.ts';
import { findJsonError } from './json-error.ts';
import { shownName } from './tool-name.ts';

const MOST_NAMES = 100;
const MOST_SCHEMA_BYTES = 4_096;
const MOST_NEAR_BYTES = 40;

/** Text for a call of a tool that does not exist. Names are matched exactly; a name that differs in case is a different one. */
export function unknownToolText(name: string, names: readonly string[]): string {
  const shown = shownName(name);
  if (names.length === 0) return `The tool ${shown} does not exist, and nothing was run. There are no tools here; answer without one.`;
  const some = names.slice(0, MOST_NAMES).join(', ');
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  const other = names.find((known) => known.toLowerCase() === name.toLowerCase());
  const hint = other === undefined ? '' : ` Upper and lower case count: did you mean ${other}?`;
  return `The tool ${shown} does not exist, and nothing was run.${hint} The tools that exist: ${some}${more}.`;
}

/** Text for a call whose arguments are not the text of a JSON object. */
export function brokenArgumentsText(definition: ToolDefinition, argumentsText: string): string {
  const call = `The call of ${definition.name} was not run: its arguments`;
  return `${call} ${parseProblem(argumentsText)} Send one JSON object that fits this schema: ${schemaText(definition.input_schema)}`;
}

/** Text for a call whose arguments do not fit the tool's schema; `problem` is what the tool's check said. */
export function badArgumentsText(definition: ToolDefinition, problem: string): string {
  return `The call of ${definition.name} was not run: its arguments do not fit the schema: ${problem}. Correct them and call again.`;
}

function parseProblem(text: string): string {
  const error = findJsonError(text);
  if (error === undefined && text.trimStart().startsWith('{')) return `are nested deeper than ${MOST_LEVELS} levels.`;
  if (error === undefined) return 'are not a JSON object.';
  if (error.position >= text.length) return `are not valid JSON: they end at position ${text.length}, expected ${error.expected}.`;
  const near = cutText(text.slice(error.position), MOST_NEAR_BYTES).text;
  return `are not valid JSON at position ${error.position}: expected ${error.expected}, found ${JSON.stringify(near)}.`;
}

function schemaText(schema: JsonObject): string {
  return capText(JSON.stringify(schema), MOST_SCHEMA_BYTES).text;
}
