/**
 * Tool: what the loop needs to know of a tool to offer, check and run it. `defineTool` and `toolsFrom`
 * make one; a command tool from a manifest is one too. What a tool returns is turned into result
 * content elsewhere, so a tool may return whatever is natural.
 */
import type { JsonObject, JsonValue } from '../schema/json.ts';
import type { ToolDefinition } from '../schema/tool-definition.ts';

/** What a running tool may use. */
export interface ToolContext {
  /** Aborted when the run stops, the call times out or is cancelled; `reason` says which. */
  readonly signal: AbortSignal;
  readonly callId: string;
  readonly runId: string;
  /** Sends an ephemeral `custom` event to whoever watches. */
  emit(name: string, data?: JsonValue): void;
  /** Sends an ephemeral `tool_output` event: what the tool prints while it runs. At most 1,048,576 characters a call are shown. */
  output(text: string): void;
  /** Tells that a child process group lives or has ended, so that it can be killed should the run die. */
  child(pid: number, state: 'started' | 'exited'): void;
}

/** What checking arguments says: the value to run with, or what is wrong with it, as a sentence for the model. */
export type ArgumentCheck = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string };

/** A tool that the loop can run. */
export interface Tool {
  readonly definition: ToolDefinition;
  /** How long a call may take, in milliseconds; left out: the default. */
  readonly timeoutMs?: number;
  /** Most bytes of text in a result; left out: the default. */
  readonly resultCapBytes?: number;
  /**
   * Gets ready before a run starts, where that takes time or may fail: a schema that needs the pattern engine is compiled
   * here. Rejects with a ConfigError that names the tool. May be called again; a tool that was never prepared does it by
   * itself at its first `check`.
   */
  prepare?(): Promise<void>;
  /**
   * Checks arguments before anything else happens with them. Bad arguments are an answer, not a throw.
   * A throw ends the call as `invalid_arguments` with the error's text.
   */
  check(args: JsonObject): ArgumentCheck | Promise<ArgumentCheck>;
  /**
   * Runs the call with what `check` returned. A throw is an error result. After `signal` aborts it should
   * settle soon; one that does not is abandoned after the grace period.
   */
  execute(input: unknown, context: ToolContext): unknown;
  /** How the call would be shown to a person, where that is more than name and arguments (an argv, say). */
  display?(args: JsonObject): string;
}
