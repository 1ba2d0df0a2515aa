/** recordingTools: tools for a test that answer from a table and record their calls. */

import type { ToolDefinition } from '../schema/tool-definition.ts';
import type { Tool } from '../tools/tool.ts';
import { type AnswerFunction, type RecordingExecutor, recordingExecutor, type ScriptedTool } from './recording-executor.ts';

/** A tool as a test writes it: how it answers, and what of its definition matters. */
export interface RecordingToolSpec extends ScriptedTool {
  readonly description?: string;
  /** JSON Schema of the arguments, only shown to the model: every object is let through. Default: any object. */
  readonly input_schema?: ToolDefinition['input_schema'];
  /** Default: `write`, as for every tool. */
  readonly effect?: ToolDefinition['effect'];
  /** Default: whether the effect is `read`. */
  readonly interruptible?: boolean;
  readonly confirm?: boolean;
  readonly timeoutMs?: number;
  readonly resultCapBytes?: number;
}

/** Tools, and what was asked of them. */
export interface RecordingTools extends RecordingExecutor {
  readonly tools: readonly Tool[];
}

/** Makes tools by name: a spec, a function that computes the answer, or the answer as a text. */
export function recordingTools(table: Readonly<Record<string, RecordingToolSpec | AnswerFunction | string>>): RecordingTools {
  const executor = recordingExecutor(table);
  const tools = Object.entries(table).map(([name, entry]) => toolOf(name, typeof entry === 'object' ? entry : {}, executor));
  return Object.assign(executor, { tools });
}

function toolOf(name: string, spec: RecordingToolSpec, executor: RecordingExecutor): Tool {
  const effect = spec.effect ?? 'write';
  return {
    definition: {
      name,
      description: spec.description ?? `The tool ${name} of a test.`,
      input_schema: spec.input_schema ?? { type: 'object' },
      effect,
      interruptible: spec.interruptible ?? effect === 'read',
      confirm: spec.confirm,
    },
    timeoutMs: spec.timeoutMs,
    resultCapBytes: spec.resultCapBytes,
    check: (args) => ({ ok: true, value: args }),
    execute: (input, context) => executor.execute(name, input, context),
  };
}
