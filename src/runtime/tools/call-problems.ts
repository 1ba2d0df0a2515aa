/** What a model is told of a call that cannot run: the tool does not exist, its arguments do not parse, or they do not fit. */
import type { ToolDefinition } from '../schema/tool-definition.ts';
import { cutText } from './cut-text.ts';

/** A call of a tool that does not exist (L3): says so, and names those that do. A name that differs in case is another name. */
export function unknownToolText(name: string, names: readonly string[]): string {
  const known = names.length === 0 ? 'There are no tools in this run.' : `The tools are: ${names.join(', ')}.`;
  return `There is no tool called ${JSON.stringify(name)}; the call was not run. ${known} Names count exactly as written.`;
}

/** Arguments that do not parse as a JSON object: tool, place of the mistake and the schema. */
export function brokenArgumentsText(tool: ToolDefinition, text: string): string {
  return `The arguments of ${tool.name} are not a JSON object (${parseProblem(text)}); the call was not run.${schemaText(tool)}`;
}

/** Arguments that do not fit the schema. */
export function badArgumentsText(tool: ToolDefinition, problem: string): string {
  return `The arguments of ${tool.name} do not fit: ${problem} The call was not run.${schemaText(tool)}`;
}

function schemaText(tool: ToolDefinition): string {
  return `\nThe schema of ${tool.name} is: ${cutText(JSON.stringify(tool.input_schema), 4_096).text}`;
}

function parseProblem(text: string): string {
  try {
    const parsed: unknown = JSON.parse(text);
    return `they are ${parsed === null ? 'null' : Array.isArray(parsed) ? 'an array' : `a ${typeof parsed}`}`;
  } catch (error) {
    return error instanceof Error ? error.message : 'they do not parse';
  }
}
