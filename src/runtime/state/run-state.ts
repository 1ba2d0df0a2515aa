/**
 * RunState: everything the loop knows of its run. It is a fold of the durable events and of nothing else,
 * so a journal is enough to go on from, to replay and to show. Never changed in place.
 */
import type { RunConfig, StopRule } from '../schema/config.ts';
import type { Control } from '../schema/control.ts';
import type { DoneEvent } from '../schema/event.ts';
import type { Message, ToolResultBlock, ToolUseBlock } from '../schema/message.ts';
import type { ModelName, RequestParams } from '../schema/model-request.ts';
import type { ToolDefinition } from '../schema/tool-definition.ts';
import { NO_USAGE, type Usage } from '../schema/usage.ts';
import { AppendOnlyList, AppendOnlyMap } from './append-only.ts';

/** An accepted control that has no fate yet. */
export interface OpenControl {
  readonly id: string;
  readonly control: Control;
}

/** The calls of the last reply, while not all of them have a result. */
export interface OpenTurn {
  readonly message_id: string;
  readonly calls: readonly ToolUseBlock[];
  /** Ids of calls that have a `tool_started`. */
  readonly started: readonly string[];
  /** Results in call order; undefined where there is none yet. */
  readonly results: readonly (ToolResultBlock | undefined)[];
}

/** What the last request held, beside its messages. */
export interface LastRequest {
  readonly system: string | undefined;
  readonly tools: readonly ToolDefinition[];
  readonly params: RequestParams;
  /** How many messages it held, counted behind the system messages at the head. */
  readonly messages: number;
}

/** What a run has spent. `cost_usd` is null as soon as the price of one call is unknown. */
export interface Spent {
  readonly tool_calls: number;
  readonly usage: Usage;
  readonly cost_usd: number | null;
}

/** Settings as they were before changes that no reply has confirmed yet. */
export interface Unproven {
  readonly config: RunConfig;
  readonly stop_on: StopRule;
}

/** The state of a run. */
export interface RunState {
  readonly run_id: string;
  /** Last seq seen; 0 before the first event. */
  readonly seq: number;
  readonly iteration: number;
  /** Time of the first event, milliseconds since the epoch. */
  readonly started_at: number | undefined;
  readonly config: RunConfig;
  readonly stop_on: StopRule;
  /** Set while a change of settings has not been through a model request. */
  readonly unproven: Unproven | undefined;
  readonly model: ModelName | undefined;
  readonly tools: readonly ToolDefinition[];
  readonly base_system: string | undefined;
  /** The conversation, system messages of the input at its head; valid but for the calls of `turn`. */
  readonly messages: AppendOnlyList<Message>;
  /** How many system messages stand at the head of `messages`. */
  readonly system_head: number;
  readonly turn: OpenTurn | undefined;
  /** Every call id there has been. */
  readonly call_ids: AppendOnlyMap<true>;
  /** Every accepted control by id, as text, to tell a repeated one from a reused id. */
  readonly controls: AppendOnlyMap<string>;
  readonly open_controls: readonly OpenControl[];
  readonly last_request: LastRequest | undefined;
  /** Text of the last reply that had any. */
  readonly last_text: string;
  /** Turns in a row with a call that the output limit cut. */
  readonly cut_turns: number;
  /** Replies in a row without a tool call. */
  readonly text_replies: number;
  /** Tokens that the last request and its reply took, as the provider counted them. */
  readonly context_tokens: number;
  readonly spent: Spent;
  readonly done: DoneEvent | undefined;
}

/** The state before the first event. */
export function initialState(runId: string): RunState {
  return {
    run_id: runId,
    seq: 0,
    iteration: 0,
    started_at: undefined,
    config: {},
    stop_on: 'text',
    unproven: undefined,
    model: undefined,
    tools: [],
    base_system: undefined,
    messages: AppendOnlyList.of(),
    system_head: 0,
    turn: undefined,
    call_ids: AppendOnlyMap.empty(),
    controls: AppendOnlyMap.empty(),
    open_controls: [],
    last_request: undefined,
    last_text: '',
    cut_turns: 0,
    text_replies: 0,
    context_tokens: 0,
    spent: { tool_calls: 0, usage: NO_USAGE, cost_usd: 0 },
    done: undefined,
  };
}

/** A state whose fields may be set, while it is being made. */
export type DraftState = { -readonly [Field in keyof RunState]: RunState[Field] };

/** A copy to set fields of. Written out, since the engine copies a literal fifteen times as fast as a spread of so many fields. */
export function draftOf(state: RunState): DraftState {
  return {
    run_id: state.run_id,
    seq: state.seq,
    iteration: state.iteration,
    started_at: state.started_at,
    config: state.config,
    stop_on: state.stop_on,
    unproven: state.unproven,
    model: state.model,
    tools: state.tools,
    base_system: state.base_system,
    messages: state.messages,
    system_head: state.system_head,
    turn: state.turn,
    call_ids: state.call_ids,
    controls: state.controls,
    open_controls: state.open_controls,
    last_request: state.last_request,
    last_text: state.last_text,
    cut_turns: state.cut_turns,
    text_replies: state.text_replies,
    context_tokens: state.context_tokens,
    spent: state.spent,
    done: state.done,
  };
}
