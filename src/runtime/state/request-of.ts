/** The whole request of an iteration, put together again from the deltas in the journal. */
import type { ModelRequest } from '../ports.ts';
import type { RunEvent } from '../schema/event.ts';
import type { Message } from '../schema/message.ts';
import type { RequestParams } from '../schema/model-request.ts';
import type { ToolDefinition } from '../schema/tool-definition.ts';

/**
 * The request that iteration `iteration` sent (its last attempt), or undefined when the events hold no such turn.
 * `events` are those of one run, in order; ephemeral ones are passed over.
 */
export function requestOf(events: Iterable<RunEvent>, iteration: number): ModelRequest | undefined {
  let system: string | undefined;
  let tools: readonly ToolDefinition[] = [];
  let params: RequestParams = {};
  let messages: Message[] = [];
  for (const event of events) {
    if (event.type !== 'llm_turn') continue;
    const { request } = event;
    if (request.system !== undefined) system = request.system ?? undefined;
    tools = request.tools ?? tools;
    params = request.params ?? params;
    messages = [...messages.slice(0, request.keep), ...request.append];
    if (event.iteration === iteration) return { ...(system !== undefined && { system }), tools, params, messages };
  }
  return undefined;
}
