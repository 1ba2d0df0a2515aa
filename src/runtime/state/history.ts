/**
 * The conversation as valid history (L1): what `messages()` gives, what a request is made from, and what is
 * fit to be the next input. Calls without a result are shown as not run.
 */
import type { Message, ToolResultBlock, ToolUseBlock } from '../schema/message.ts';
import { resultsMessage } from './apply-event.ts';
import type { RunState } from './run-state.ts';

/** Text of the result of a call that never started. */
const NOT_RUN_TEXT = 'This call was not run.';

/** The result of a call that never started, and why. */
export function notRunResult(call: Pick<ToolUseBlock, 'call_id'>, reason = NOT_RUN_TEXT): ToolResultBlock {
  return { type: 'tool_result', call_id: call.call_id, content: [{ type: 'text', text: reason }], is_error: true, outcome: 'not_run' };
}

/** All messages of the run, the input's own system messages at their head; open calls closed as not run. */
export function historyOf(state: RunState): Message[] {
  const messages = state.messages.slice();
  const { turn } = state;
  if (turn === undefined) return messages;
  const results = turn.calls.map((call, index) => turn.results[index] ?? notRunResult(call));
  messages.push(resultsMessage(turn, results, messages.at(-1)?.time ?? 0));
  return messages;
}
