/**
 * The input of a run, made into messages: ids and times added, blanks dropped, history checked. What is wrong
 * with it is thrown before anything starts, and names the message.
 */
import * as v from 'valibot';
import { ConfigError } from './errors.ts';
import type { Clock, Ids } from './ports.ts';
import { userBlocksSchema } from './schema/control.ts';
import { type Block, callsOf, type Message, messageSchema } from './schema/message.ts';
import type { InputMessage, RunInput } from './start-options.ts';
import { notRunResult } from './state/history.ts';

/**
 * The messages that a run begins with. Calls without a result get one that says they were not run.
 * Throws a `ConfigError`: `empty_input`, or `invalid_input` with the place and what was expected.
 */
export function normalizeInput(input: RunInput, ports: { readonly ids: Ids; readonly clock: Clock }): Message[] {
  const messages = asMessages(input).map((message, index) => toMessage(message, index, ports));
  const kept = messages.filter((message) => message.content.length > 0);
  if (!kept.some((message) => message.role !== 'system')) throw emptyInput();
  checkOrder(kept);
  const closed = closeCalls(kept);
  if (closed.at(-1)?.role !== 'user') {
    throw new ConfigError(
      'invalid_input',
      `The input ends with an assistant message (message ${kept.length}); a run needs a user message to answer. Add one.`,
    );
  }
  return closed;
}

function emptyInput(): ConfigError {
  return new ConfigError(
    'empty_input',
    'The input is empty; expected a text, or messages with at least one that is not blank. Say what the run is to do.',
  );
}

function asMessages(input: RunInput): readonly InputMessage[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  if (isInputMessage(input)) return [input];
  const items: readonly unknown[] | undefined = Array.isArray(input) ? input : undefined;
  if (input === undefined || input === null || items?.length === 0) throw emptyInput();
  if (items?.every(isInputMessage)) return items;
  const content = v.safeParse(userBlocksSchema, input);
  if (content.success) return [{ role: 'user', content: content.output }];
  throw new ConfigError(
    'invalid_input',
    'The input is neither a text, nor a list of text and image blocks, nor a message or a list of messages with a role each.',
  );
}

function isInputMessage(item: unknown): item is InputMessage {
  return typeof item === 'object' && item !== null && 'role' in item;
}

function toMessage(message: InputMessage, index: number, { ids, clock }: { ids: Ids; clock: Clock }): Message {
  const blocks = typeof message.content === 'string' ? [{ type: 'text' as const, text: message.content }] : message.content;
  const parsed = v.safeParse(messageSchema, {
    ...message,
    id: message.id ?? ids.next('message'),
    time: message.time ?? clock.now(),
    content: blocks,
  });
  if (!parsed.success) {
    const issue = parsed.issues[0];
    throw new ConfigError(
      'invalid_input',
      `Message ${index + 1} of the input is not valid at ${v.getDotPath(issue) ?? 'its root'}: ${issue.message}.`,
    );
  }
  return { ...parsed.output, content: parsed.output.content.filter((block) => !isBlank(block)) };
}

/** Whether a block is text with nothing but white space in it, which providers refuse. */
export function isBlank(block: Block): boolean {
  return block.type === 'text' && block.text.trim() === '';
}

function checkOrder(messages: readonly Message[]): void {
  let headOver = false;
  const seen = new Set<string>();
  let open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'system') headOver = true;
    else if (headOver) throw invalid(index, 'is a system message behind other messages; system messages stand only at the head');
    for (const block of message.content) {
      if (block.type === 'tool_result' && message.role !== 'user')
        throw invalid(index, `holds a tool result, which only a user message may, but has the role ${message.role}`);
      if (block.type === 'tool_result' && !open.delete(block.call_id))
        throw invalid(index, `holds a result for ${block.call_id}, which the assistant message before it does not call`);
      if (block.type === 'tool_use' && message.role !== 'assistant')
        throw invalid(index, `holds a tool call but is a ${message.role} message`);
      if (block.type === 'tool_use' && seen.has(block.call_id))
        throw invalid(index, `repeats the call id ${block.call_id}; ids are unique`);
      if (block.type === 'tool_use') seen.add(block.call_id);
    }
    if (message.role === 'assistant') open = new Set(callsOf(message).map((call) => call.call_id));
  }
}

function invalid(index: number, problem: string): ConfigError {
  return new ConfigError('invalid_input', `Message ${index + 1} of the input ${problem}.`);
}

/** Every call gets its one result, in call order, in one user message right behind it. */
function closeCalls(messages: readonly Message[]): Message[] {
  const closed: Message[] = [];
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index];
    if (message === undefined) continue;
    closed.push(message);
    const calls = message.role === 'assistant' ? callsOf(message) : [];
    if (calls.length === 0) continue;
    const { results, rest, next } = resultsBehind(messages, index + 1);
    const content = calls.map((call) => results.get(call.call_id) ?? notRunResult(call));
    closed.push({ id: `${message.id}.results`, role: 'user', content, time: message.time }, ...rest);
    index = next - 1;
  }
  return closed;
}

/** The results in the user messages behind a call, and what else those messages say. */
function resultsBehind(messages: readonly Message[], start: number) {
  const results = new Map<string, Extract<Block, { type: 'tool_result' }>>();
  const rest: Message[] = [];
  let next = start;
  for (let message = messages[next]; message?.role === 'user'; message = messages[++next]) {
    for (const block of message.content) if (block.type === 'tool_result') results.set(block.call_id, block);
    const others = message.content.filter((block) => block.type !== 'tool_result');
    if (others.length > 0) rest.push({ ...message, content: others });
  }
  return { results, rest, next };
}
