/** Tools with real argument checks that record what they were really run with. */
import { defineTool } from '../../../src/runtime/tools/define-tool.ts';
import type { Tool } from '../../../src/runtime/tools/tool.ts';

/** Tools, and each execution in order. */
export interface CheckedTools {
  readonly tools: readonly Tool[];
  readonly ran: readonly (readonly [name: string, args: unknown])[];
}

/** Makes a tool of each entry, a JSON Schema's `properties`; those that are `required` stand in a list beside. Each answers `fine`. */
export function checkedTools(table: Readonly<Record<string, { properties?: object; required?: readonly string[] }>>): CheckedTools {
  const ran: [string, unknown][] = [];
  const tools = Object.entries(table).map(([name, schema]) =>
    defineTool({
      name,
      description: `Does ${name}.`,
      input: { type: 'object', ...schema },
      execute: (args) => {
        ran.push([name, args]);
        return 'fine';
      },
    }),
  );
  return { tools, ran };
}
