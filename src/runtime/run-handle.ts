/** The `Run` that is handed out: its few real parts, and the short forms of `send` made from them. */
import type { EventFeed } from './event-feed.ts';
import type { Run, RunResult } from './run.ts';
import type { Control } from './schema/control.ts';
import type { DoneEvent } from './schema/event.ts';
import type { Message } from './schema/message.ts';
import { historyOf } from './state/history.ts';
import type { RunState } from './state/run-state.ts';

/** What a run is made of, wherever it runs. */
export interface RunParts {
  readonly id: string;
  readonly feed: Pick<EventFeed, 'events'>;
  readonly result: Promise<RunResult>;
  readonly send: Run['send'];
  readonly messages: () => Promise<readonly Message[]>;
}

/** A `Run` over its parts. */
export function createRunHandle(parts: RunParts): Run {
  const send = (control: Control) => parts.send(control);
  return {
    id: parts.id,
    result: parts.result,
    events: (options) => parts.feed.events(options),
    messages: parts.messages,
    send: parts.send,
    inject: (message, options = {}) => send({ type: 'inject', message, ...options }),
    modifyConfig: (config) => send({ type: 'modify_config', ...config }),
    stop: (options = {}) => send({ type: 'stop', ...options }),
    decide: (decision, options = {}) => send({ type: 'decide', decision, ...options }),
    answer: (content, options = {}) => send({ type: 'answer', content, ...options }),
    cancelCall: (callId) => send({ type: 'cancel_call', call_id: callId }),
  };
}

/** The result of a run that is over, from its `done` and the state behind it. */
export function runResult(state: RunState, done: DoneEvent): RunResult {
  const { reason, final_content, output, usage, cost_usd, iterations, tool_calls, unseen, dropped_events, error } = done;
  return {
    run_id: state.run_id,
    reason,
    final_content,
    ...(output !== undefined && { output }),
    usage,
    cost_usd,
    iterations,
    tool_calls,
    messages: historyOf(state),
    unseen,
    dropped_events,
    ...(error !== undefined && { error }),
  };
}
