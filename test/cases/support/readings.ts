/** Short readings of events and requests, so that a case can say in one look what came of it. */
import type { RunEvent } from '../../../src/runtime/schema/event.ts';
import type { SentMessage } from './case-server.ts';

type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

/** Events of one type, in order. */
export function only<Type extends RunEvent['type']>(events: readonly RunEvent[], type: Type): EventOf<Type>[] {
  return events.filter((event): event is EventOf<Type> => event.type === type);
}

/** Text of a result. */
export function textOf({ content }: Pick<EventOf<'tool_result'>, 'content'>): string {
  return content.map((block) => (block.type === 'text' ? block.text : '[image]')).join('\n');
}

/** Each result by its call: outcome and text, in finish order. */
export function results(events: readonly RunEvent[]): readonly (readonly [callId: string, outcome: string, text: string])[] {
  return only(events, 'tool_result').map((event) => [event.call_id, event.outcome, textOf(event)]);
}

/** A block of Anthropic's, or a message or call of Chat Completions, as far as the cases look at it. */
interface SentCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** Every call in messages as they were sent, in order. */
export function sentCalls(messages: readonly SentMessage[]): readonly SentCall[] {
  return messages.flatMap(({ role, content, ...rest }) => {
    if (role !== 'assistant') return [];
    const blocks = (Array.isArray(content) ? content : []) as { type: string; id: string; name: string; input: unknown }[];
    const calls = (rest['tool_calls'] ?? []) as { id: string; function: { name: string; arguments: string } }[];
    return [
      ...blocks.filter((block) => block.type === 'tool_use').map(({ id, name, input }) => ({ id, name, input })),
      ...calls.map((call) => ({ id: call.id, name: call.function.name, input: JSON.parse(call.function.arguments) as unknown })),
    ];
  });
}

/** Every result in messages as they were sent, in order: the id of its call and its text. */
export function sentResults(messages: readonly SentMessage[]): readonly (readonly [id: string, text: string, isError: boolean])[] {
  return messages.flatMap(({ role, content, ...rest }) => {
    if (role === 'tool') return [[String(rest['tool_call_id']), String(content), String(content).startsWith('Error')] as const];
    const blocks = (Array.isArray(content) ? content : []) as {
      type: string;
      tool_use_id: string;
      content: { text?: string }[];
      is_error?: boolean;
    }[];
    return blocks
      .filter((block) => block.type === 'tool_result')
      .map((block) => [block.tool_use_id, block.content.map(({ text }) => text ?? '[image]').join('\n'), block.is_error === true] as const);
  });
}
