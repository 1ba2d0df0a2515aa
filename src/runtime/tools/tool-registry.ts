/**
 * The tools of one run, found by name. It refuses at once what would break a run later: two tools of one name, a
 * name that a provider refuses, a name that the runtime keeps for itself.
 */
import { ConfigError } from '../errors.ts';
import { copyJson } from '../schema/json.ts';
import type { ToolDefinition } from '../schema/tool-definition.ts';
import type { Tool } from './tool.ts';
import { assertToolName } from './tool-name.ts';

/** The tools of one run. */
export interface ToolRegistry {
  /** In the order in which the tools were given. */
  readonly definitions: readonly ToolDefinition[];
  /** The tool of exactly this name; undefined where there is none. */
  get(name: string): Tool | undefined;
  /** Lets every tool get ready (compile its schema). Rejects with the ConfigError of the first that cannot; may be called again. */
  prepare(): Promise<void>;
}

/**
 * Makes a registry. `reserved` names belong to the runtime (the finish tool, say) and are refused.
 * Throws a ConfigError that names the tool and what to do.
 */
export function createToolRegistry(tools: readonly Tool[] = [], options: { reserved?: readonly string[] } = {}): ToolRegistry {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    const { name } = tool.definition;
    assertToolName(name);
    if (byName.has(name))
      throw new ConfigError('duplicate_tool', `Tool "${name}" is given twice. Names must differ; rename or remove one.`);
    if (options.reserved?.includes(name)) {
      throw new ConfigError('reserved_tool_name', `Tool "${name}": the runtime keeps this name for a tool of its own. Rename the tool.`);
    }
    byName.set(name, tool);
  }
  return {
    // Copies: they go into events, which are frozen, and a schema may be the caller's own object.
    definitions: tools.map(({ definition }) => ({ ...definition, input_schema: copyJson(definition.input_schema) })),
    get: (name) => byName.get(name),
    async prepare() {
      for (const tool of tools) await tool.prepare?.();
    },
  };
}
