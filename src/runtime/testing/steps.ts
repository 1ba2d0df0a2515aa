/** Short forms of the steps that tests write most. Each takes further fields of a step last. */
import type { ScriptError, ScriptToolCall } from '../models/script/script-schema.ts';
import type { ErrorClass } from '../schema/error-data.ts';
import type { JsonObject } from '../schema/json.ts';
import type { ScriptedStep } from './scripted-model.ts';

/** A text reply. */
export function text(content: string, more: ScriptedStep = {}): ScriptedStep {
  return { text: content, ...more };
}

/** A reply that calls one tool. */
export function toolCall(name: string, args: JsonObject = {}, more: ScriptedStep = {}): ScriptedStep {
  return { tool_calls: [{ name, arguments: args }], ...more };
}

/** A reply that calls several tools, or one in a particular way. */
export function toolCalls(calls: readonly ScriptToolCall[], more: ScriptedStep = {}): ScriptedStep {
  return { tool_calls: [...calls], ...more };
}

/** A failure of a class; `after` says how many deltas come before it (default none). */
export function fail(errorClass: ErrorClass, facts: Omit<ScriptError, 'class'> = {}, more: ScriptedStep = {}): ScriptedStep {
  return { error: { class: errorClass, ...facts }, ...more };
}

/** A reply that never ends: silent from the start, or from behind its content. */
export function hang(when: 'before' | 'after' = 'before', more: ScriptedStep = {}): ScriptedStep {
  return { hang: when, ...more };
}
