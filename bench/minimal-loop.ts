/**
 * The loop that anybody could write in an afternoon, as the measure for ours: abort, steering, hooks, arguments checked by
 * valibot, an envelope around each event and a history. It has no journal, no limits, no retry, no receipts and no watchdog.
 */
import * as v from 'valibot';

const argumentsSchema = v.object({ v: v.number() });

interface MinimalMessage {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly text: string;
  readonly call?: { readonly id: string; readonly name: string; readonly args: unknown };
}

/** A chunk of the minimal model: a piece of text, or the whole reply. */
export type MinimalChunk = { readonly delta: string } | { readonly reply: MinimalMessage };

/** What the minimal loop runs with. */
export interface MinimalParts {
  readonly model: (messages: readonly MinimalMessage[]) => AsyncIterable<MinimalChunk>;
  readonly tool: (args: { v: number }, signal: AbortSignal) => Promise<string>;
  readonly onEvent: (event: unknown) => void;
  readonly signal: AbortSignal;
  readonly steering: string[];
}

/** Runs until a reply has no call; gives the messages. */
export async function minimalLoop(parts: MinimalParts): Promise<readonly MinimalMessage[]> {
  const messages: MinimalMessage[] = [{ role: 'user', text: 'go' }];
  let seq = 0;
  const emit = (type: string, data: object): void => parts.onEvent({ type, run_id: 'r', seq: ++seq, time: Date.now(), ...data });
  for (let iteration = 1; ; iteration++) {
    parts.signal.throwIfAborted();
    for (const text of parts.steering.splice(0)) messages.push({ role: 'user', text });
    emit('iteration', { iteration });
    let reply: MinimalMessage | undefined;
    for await (const chunk of parts.model(messages)) {
      parts.signal.throwIfAborted();
      if ('reply' in chunk) reply = chunk.reply;
      else emit('delta', { text: chunk.delta });
    }
    if (reply === undefined) throw new Error('no reply');
    messages.push(reply);
    emit('turn', { reply });
    if (reply.call === undefined) return messages;
    const args = v.parse(argumentsSchema, reply.call.args);
    emit('tool_started', { id: reply.call.id });
    const text = await parts.tool(args, parts.signal);
    messages.push({ role: 'tool', text });
    emit('tool_result', { id: reply.call.id, text });
  }
}
