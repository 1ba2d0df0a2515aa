/**
 * RequestBuilder: a model request from the state, and the same request written against the one before it for the journal.
 * Nothing here walks the whole history: the messages are already valid, and only what is new is looked at (L1, L8).
 */
import type { Agent } from '../agent.ts';
import { ConfigError, describeError } from '../errors.ts';
import { joinPrompt } from '../join-prompt.ts';
import type { Model, ModelOptions, ModelRequest } from '../ports.ts';
import type { RunConfig, StopRule } from '../schema/config.ts';
import { copyJson } from '../schema/json.ts';
import type { Message } from '../schema/message.ts';
import type { RequestDelta, RequestParams } from '../schema/model-request.ts';
import type { ToolDefinition } from '../schema/tool-definition.ts';
import type { RunState } from '../state/run-state.ts';
import { FINISH_TOOL, stopInstructions } from '../stop-rule.ts';

/** A request, what of it is new, and how the journal writes it. */
export interface BuiltRequest {
  readonly request: ModelRequest;
  readonly added: readonly Message[];
  readonly delta: RequestDelta;
}

/** Builds the requests of one run. */
export class RequestBuilder {
  readonly #agent: Agent;
  #system: { readonly base: string | undefined; readonly rule: StopRule; readonly text: string | undefined } | undefined;
  #tools: { readonly from: readonly ToolDefinition[]; readonly rule: StopRule; readonly list: ToolDefinition[] } | undefined;
  #params: { readonly from: RunConfig; readonly model: Model; readonly params: RequestParams } | undefined;

  constructor(agent: Agent) {
    this.#agent = agent;
  }

  /** The request that the state asks for now. Throws a `ConfigError` when the `modelOptions` hook throws. */
  build(state: RunState, model: Model): BuiltRequest {
    const options = this.#options(state.iteration);
    const system = this.#systemFor(state);
    const tools = this.#offered(state);
    const params = this.#paramsFor(state.config, model, options);
    const messages = state.messages.slice(state.system_head);
    const last = state.last_request;
    const keep = last?.messages ?? 0;
    const added = keep === 0 ? messages : messages.slice(keep);
    const delta: RequestDelta = { keep, append: added };
    if (last === undefined || last.system !== system) delta.system = system ?? null;
    if (last === undefined || !sameData(last.tools, tools)) delta.tools = tools;
    if (last === undefined || !sameData(last.params, params)) delta.params = params;
    const request: { -readonly [Field in keyof ModelRequest]: ModelRequest[Field] } = { tools, messages, params };
    if (system !== undefined) request.system = system;
    if (options?.headers !== undefined) request.headers = options.headers;
    return { request, added, delta };
  }

  /** Names of the tools that the model is offered now. */
  offeredNames(state: RunState): string[] {
    return this.#offered(state).map((tool) => tool.name);
  }

  #options(iteration: number): ModelOptions | undefined {
    const option = this.#agent.hooks?.modelOptions;
    if (typeof option !== 'function') return option;
    try {
      return option(iteration);
    } catch (error) {
      throw new ConfigError('model_options_failed', `The hook modelOptions threw in iteration ${iteration}: ${describeError(error)}.`, {
        cause: error,
      });
    }
  }

  #systemFor(state: RunState): string | undefined {
    const known = this.#system;
    if (known !== undefined && known.base === state.base_system && known.rule === state.stop_on) return known.text;
    const text = joinPrompt([state.base_system, this.#agent.stopInstructions ?? stopInstructions(state.stop_on)]);
    this.#system = { base: state.base_system, rule: state.stop_on, text };
    return text;
  }

  #offered(state: RunState): ToolDefinition[] {
    const known = this.#tools;
    if (known?.from === state.tools && known.rule === state.stop_on) return known.list;
    const list = state.stop_on === 'finish_tool' ? [...state.tools, FINISH_TOOL] : [...state.tools];
    this.#tools = { from: state.tools, rule: state.stop_on, list };
    return list;
  }

  #paramsFor(config: RunConfig, model: Model, options: ModelOptions | undefined): RequestParams {
    if (options === undefined && this.#params?.from === config && this.#params.model === model) return this.#params.params;
    const params = requestParams(config, model, options);
    if (options === undefined) this.#params = { from: config, model, params };
    return params;
  }
}

/** What the hook gave is copied: it goes into an event, which is frozen, and the object is the hook's own. */
function requestParams(config: RunConfig, model: Model, options: ModelOptions | undefined): RequestParams {
  const maxOutput = config.max_output_tokens ?? model.requiredMaxOutputTokens;
  const thinking = options?.thinking ?? config.thinking;
  return {
    ...(maxOutput !== undefined && { max_output_tokens: maxOutput }),
    ...(config.temperature !== undefined && { temperature: config.temperature }),
    ...(thinking !== undefined && { thinking }),
    ...(options?.tool_choice !== undefined && { tool_choice: copyJson(options.tool_choice) }),
    ...(options?.extra_body !== undefined && { extra_body: copyJson(options.extra_body) }),
  };
}

function sameData(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
