/**
 * Tools from a manifest. A call is checked in full before anybody is asked and anything runs: against its schema,
 * which knows no argument that nobody declared, and for an argv that the tool and the system take. What passes the
 * check is the argv itself, so what was shown is what runs.
 */
import type { Environment } from '../../runtime/models/credentials.ts';
import type { Timers } from '../../runtime/ports.ts';
import type { JsonObject } from '../../runtime/schema/json.ts';
import { jsonSchemaInput } from '../../runtime/tools/json-schema-input.ts';
import type { Tool, ToolContext } from '../../runtime/tools/tool.ts';
import type { ToolOutput } from '../../runtime/tools/tool-output.ts';
import type { Manifest, ManifestTool } from '../manifest/manifest.ts';
import { commandEnvironment } from './command-environment.ts';
import { commandResult, resultCapBytes } from './command-result.ts';
import { expandCommand } from './expand-command.ts';
import { quoteArgv } from './quote-argv.ts';
import { runCommand } from './run-command.ts';

/** How command tools are made. */
export interface CommandToolsOptions {
  /** The environment that commands get their part of; default that of this process. Read when a command starts. */
  readonly env?: Environment;
  /** Runs tools with `confirm: true` without asking anybody. */
  readonly skipConfirm?: boolean;
  /** Default: the system's. */
  readonly timers?: Timers;
}

/** A tool of each tool of a manifest, in its order. Nothing runs yet. */
export function commandTools(manifest: Manifest, options: CommandToolsOptions = {}): readonly Tool[] {
  return manifest.tools.map((tool) => commandTool(tool, options));
}

function commandTool(tool: ManifestTool, options: CommandToolsOptions): Tool {
  const { name, description, parameters, effect, interruptible, timeoutMs } = tool;
  const input = jsonSchemaInput(`Tool "${name}"`, parameters);
  const confirm = tool.confirm && options.skipConfirm !== true;
  return {
    definition: { name, description, input_schema: parameters, effect, interruptible, ...(confirm && { confirm }) },
    timeoutMs,
    resultCapBytes: resultCapBytes(tool),
    prepare: input.prepare,
    async check(args) {
      const checked = await input.check(args);
      if (!checked.ok) return checked;
      const expansion = expandCommand(tool, args);
      return 'problem' in expansion ? { ok: false, problem: expansion.problem } : { ok: true, value: expansion.argv };
    },
    // What comes in is what `check` gave out.
    execute: (argv, context) => execute(tool, argv as readonly string[], options, context),
    display: (args) => display(tool, args),
  };
}

async function execute(
  tool: ManifestTool,
  argv: readonly string[],
  options: CommandToolsOptions,
  context: ToolContext,
): Promise<ToolOutput> {
  const command = {
    argv,
    ...(tool.cwd !== undefined && { cwd: tool.cwd }),
    env: commandEnvironment(tool.env, options.env ?? process.env),
    timeoutMs: tool.timeoutMs,
    maxOutputBytes: resultCapBytes(tool),
  };
  const { signal } = context;
  const run = await runCommand(command, {
    signal,
    ...(options.timers !== undefined && { timers: options.timers }),
    output: (text) => context.output(text),
    child: (pid, state) => context.child(pid, state),
  });
  return commandResult(run, tool);
}

/** The argv as it would run, on one line; for arguments that would not run, why. */
function display(tool: ManifestTool, args: JsonObject): string {
  const expansion = expandCommand(tool, args);
  return 'problem' in expansion ? expansion.problem : quoteArgv(expansion.argv);
}
