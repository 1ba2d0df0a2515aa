/** Many tools behind one function: for programs that already have their tools as data and a dispatcher of their own. */
import type { JsonObject } from '../schema/json.ts';
import { defineTool, type ToolTraits } from './define-tool.ts';
import type { Tool, ToolContext } from './tool.ts';

/** A tool as data; keys that are not listed here are ignored. */
export interface ToolSource extends ToolTraits {
  /** JSON Schema of the arguments, of `"type": "object"`. */
  readonly input_schema: Readonly<Record<string, unknown>>;
}

/** Runs a call of any of the tools. May return anything, also a promise; a throw is an error result. */
export type ExecuteTool = (name: string, args: JsonObject, context: ToolContext) => unknown;

/** Makes one tool of each definition, all run by `execute` with arguments that fit. Throws a ConfigError as `defineTool` does. */
export function toolsFrom(definitions: readonly ToolSource[], execute: ExecuteTool): Tool[] {
  return definitions.map((source) => {
    const { name, description, input_schema: input, effect, interruptible, timeoutMs, resultCapBytes, confirm } = source;
    const traits = { name, description, effect, interruptible, timeoutMs, resultCapBytes, confirm };
    return defineTool({ ...traits, input, execute: (args, context) => execute(name, args, context) });
  });
}
