/**
 * Agent: model, tools and policies, as one plain object. The same object runs inline, in a thread and at the
 * edge; a module that exports one (`export default defineAgent({...})`) is how it gets into a thread.
 */
import type { ClassifyError, EstimateCost, Logger, Model, ModelOptions, ResolveModel } from './ports.ts';
import type { RunConfig } from './schema/config.ts';
import type { RunEvent } from './schema/event.ts';
import type { Tool } from './tools/tool.ts';

/** Optional callbacks. None of them can end a run, except where it says so. */
export interface Hooks {
  /** Sees every event; durable ones are frozen, so that a change of one is a TypeError. A throw (or rejection) is a `warning` event, the first time in a run, and changes nothing else. */
  onEvent?(event: RunEvent): unknown;
  /** Further options of the model request, fixed or by iteration. A throw ends the run with code `model_options_failed`. */
  modelOptions?: ModelOptions | ((iteration: number) => ModelOptions | undefined);
  /** Classifies errors of model calls before the loop does. A throw leaves it to the loop. */
  classifyError?: ClassifyError;
  /** Prices model calls. */
  estimateCost?: EstimateCost;
  logger?: Logger;
}

/** What an agent is made of. */
export interface Agent {
  readonly model: Model;
  readonly tools?: readonly Tool[];
  readonly system?: string;
  /** Version of the agent, for the journal. */
  readonly version?: string;
  readonly config?: RunConfig;
  /** Resolves the `model` of a config; without it a model cannot be changed by name. */
  readonly models?: ResolveModel;
  /** What a call of a tool that does not exist does: an error result (default), or the end of the run (`tool_not_found`). */
  readonly onUnknownTool?: 'result' | 'end';
  /** Replaces what the stop rule adds to the system prompt; '' adds nothing. */
  readonly stopInstructions?: string;
  readonly hooks?: Hooks;
}

/** Gives an agent its type, so that an editor helps; changes nothing. */
export function defineAgent(agent: Agent): Agent {
  return agent;
}
