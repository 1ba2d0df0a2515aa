/**
 * applyEvent: the fold. Total (an event that does not fit changes nothing but `seq`), pure, and sharing
 * structure with the state before, so that folding costs the same at every length of run (L8).
 */
import { type Control, controlFingerprint } from '../schema/control.ts';
import type { DurableEvent, DurableEventOf } from '../schema/event.ts';
import { callsOf, type Message, type ToolResultBlock, type ToolUseBlock, textOf } from '../schema/message.ts';
import { addUsage, totalTokens, type Usage } from '../schema/usage.ts';
import { AppendOnlyList } from './append-only.ts';
import { draftOf, type OpenTurn, type RunState, type Spent } from './run-state.ts';

/** The state after one more durable event. */
export function applyEvent(state: RunState, event: DurableEvent): RunState {
  const next = draftOf(state);
  Object.assign(next, changes(state, event));
  next.seq = event.seq;
  next.started_at ??= event.time;
  return next;
}

function changes(state: RunState, event: DurableEvent): Partial<RunState> {
  switch (event.type) {
    case 'run_started':
      return runStarted(state, event);
    case 'iteration_started':
      return { iteration: event.iteration, messages: state.messages.append(...event.messages) };
    case 'control_received':
      return {
        controls: state.controls.set(event.control_id, controlFingerprint(event.control)),
        open_controls: [...state.open_controls, { id: event.control_id, control: event.control }],
      };
    case 'control_applied':
      return controlApplied(state, event);
    case 'llm_turn':
      return llmTurn(state, event);
    case 'tool_started':
      return toolStarted(state, event);
    case 'tool_result':
      return toolResult(state, event);
    case 'retry':
    case 'review':
      return { spent: spend(state.spent, event.usage, event.cost_usd) };
    case 'compacted':
      return compacted(state, event);
    case 'model_changed':
      return { model: event.model };
    case 'tools_changed':
      return { tools: event.tools };
    case 'limit_extended':
      return { config: { ...state.config, [event.limit]: event.limit_value } };
    case 'warning':
      return event.config === undefined
        ? {}
        : { config: event.config, stop_on: event.config.stop_on ?? state.stop_on, unproven: undefined };
    case 'done':
      return { done: event };
    case 'run_resumed':
    case 'tool_call':
    case 'approval_requested':
    case 'approval_decided':
    case 'awaiting_input':
    case 'input_received':
    case 'child_event':
    case 'limit_reached':
    case 'limiter_wait':
    case 'parked':
      return {};
    default:
      return unknownEvent(event);
  }
}

/** A later version's event: the types say it cannot be, a recording may still hold one. */
function unknownEvent(_event: never): Partial<RunState> {
  return {};
}

function runStarted(state: RunState, event: DurableEventOf<'run_started'>): Partial<RunState> {
  let callIds = state.call_ids;
  for (const message of event.input) for (const call of callsOf(message)) callIds = callIds.set(call.call_id, true);
  const firstOther = event.input.findIndex((message) => message.role !== 'system');
  return {
    config: event.config,
    stop_on: event.stop_on,
    model: event.model,
    tools: event.tools,
    base_system: event.system,
    messages: AppendOnlyList.of(event.input),
    system_head: firstOther < 0 ? event.input.length : firstOther,
    call_ids: callIds,
    ...(event.carried && {
      iteration: event.carried.iterations,
      spent: { tool_calls: event.carried.tool_calls, usage: event.carried.usage, cost_usd: event.carried.cost_usd },
    }),
  };
}

function controlApplied(state: RunState, event: DurableEventOf<'control_applied'>): Partial<RunState> {
  const open = state.open_controls.find((entry) => entry.id === event.control_id);
  const control = open?.control;
  const applied = event.fate.kind === 'applied' && control?.type === 'modify_config' ? configOf(control) : undefined;
  return {
    open_controls: open === undefined ? state.open_controls : state.open_controls.filter((entry) => entry !== open),
    ...(event.message !== undefined && { messages: state.messages.append(event.message) }),
    ...(applied !== undefined && {
      config: { ...state.config, ...applied },
      stop_on: applied.stop_on ?? state.stop_on,
      unproven: state.unproven ?? { config: state.config, stop_on: state.stop_on },
    }),
  };
}

function configOf(control: Extract<Control, { type: 'modify_config' }>): RunState['config'] {
  const { type: _type, id: _id, ...config } = control;
  return config;
}

function llmTurn(state: RunState, event: DurableEventOf<'llm_turn'>): Partial<RunState> {
  const { request, message } = event;
  const before = state.last_request;
  const calls = message === null ? [] : callsOf(message);
  const text = message === null ? '' : textOf(message);
  let callIds = state.call_ids;
  for (const call of calls) callIds = callIds.set(call.call_id, true);
  return {
    messages: message === null ? state.messages : state.messages.append(message),
    turn: message === null || calls.length === 0 ? undefined : openTurn(message, calls),
    call_ids: callIds,
    unproven: undefined,
    last_text: text === '' ? state.last_text : text,
    cut_turns: event.cut_call_ids !== undefined && event.cut_call_ids.length > 0 ? state.cut_turns + 1 : 0,
    text_replies: calls.length > 0 ? 0 : message === null ? state.text_replies : state.text_replies + 1,
    context_tokens: totalTokens(event.usage) || state.context_tokens,
    last_request: {
      system: request.system === undefined ? before?.system : (request.system ?? undefined),
      tools: request.tools ?? before?.tools ?? [],
      params: request.params ?? before?.params ?? {},
      messages: request.keep + request.append.length,
    },
    spent: spend(state.spent, event.usage, event.cost_usd),
  };
}

function openTurn(message: Message, calls: readonly ToolUseBlock[]): OpenTurn {
  return { message_id: message.id, calls, started: [], results: calls.map(() => undefined) };
}

function toolStarted(state: RunState, event: DurableEventOf<'tool_started'>): Partial<RunState> {
  const turn = state.turn;
  if (turn === undefined) return {};
  return {
    turn: { ...turn, started: [...turn.started, event.call_id] },
    spent: { ...state.spent, tool_calls: state.spent.tool_calls + 1 },
  };
}

function toolResult(state: RunState, event: DurableEventOf<'tool_result'>): Partial<RunState> {
  const turn = state.turn;
  const place = turn?.calls.findIndex((call) => call.call_id === event.call_id) ?? -1;
  if (turn === undefined || place < 0 || turn.results[place] !== undefined) return {};
  const block: ToolResultBlock = {
    type: 'tool_result',
    call_id: event.call_id,
    content: event.content,
    is_error: event.is_error,
    outcome: event.outcome,
  };
  const results = turn.results.map((result, index) => (index === place ? block : result));
  const closed = results.filter((result) => result !== undefined);
  if (closed.length < results.length) return { turn: { ...turn, results } };
  return { turn: undefined, messages: state.messages.append(resultsMessage(turn, closed, event.time)) };
}

/** The one user message that holds a turn's results, in call order. Its id follows from that of the calls' message. */
export function resultsMessage(turn: OpenTurn, results: readonly ToolResultBlock[], time: number): Message {
  return { id: `${turn.message_id}.results`, role: 'user', content: [...results], time };
}

function compacted(state: RunState, event: DurableEventOf<'compacted'>): Partial<RunState> {
  const all = state.messages.slice();
  const { from, to } = event.range;
  return {
    messages: AppendOnlyList.of([...all.slice(0, from), event.summary, ...all.slice(to)]),
    context_tokens: event.tokens_after ?? 0,
    spent: spend(state.spent, event.usage, event.cost_usd),
  };
}

function spend(spent: Spent, usage: Usage, cost: number | null): Spent {
  // A provider that does not say what a call took has not said that it took nothing.
  const free = usage.complete && totalTokens(usage) === 0;
  return {
    tool_calls: spent.tool_calls,
    usage: addUsage(spent.usage, usage),
    cost_usd: spent.cost_usd === null || (cost === null && !free) ? null : spent.cost_usd + (cost ?? 0),
  };
}
