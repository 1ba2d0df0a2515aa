/**
 * A model's reply, made fit for the history (L1, L3): no empty text, every call with an id that is unique in the run, a call
 * that came twice kept once, and the calls that the output limit cut named.
 */
import { isBlank } from '../input.ts';
import type { ModelReply } from '../ports.ts';
import type { StopReason } from '../schema/event.ts';
import type { AssistantBlock, Message, ToolUseBlock } from '../schema/message.ts';
import type { LoopContext } from './context.ts';

/** A reply as it enters the history; `message` is null when nothing is left of it. */
export interface NormalizedReply {
  readonly message: Message | null;
  /** Ids of calls that are never executed, because they may not be whole. */
  readonly cutCallIds: readonly string[];
  /** Whether thinking had to be dropped since it held a key under a signature. */
  readonly droppedThinking: boolean;
}

/** The reply as it enters the history. */
export function normalizeReply(run: LoopContext, reply: ModelReply): NormalizedReply {
  const provider = run.model.provider;
  const content: AssistantBlock[] = [];
  const calls: ToolUseBlock[] = [];
  const asSent: ToolUseBlock[] = [];
  let droppedThinking = false;
  let lastCall: ToolUseBlock | undefined;
  for (const block of reply.content) {
    if (isBlank(block)) continue;
    if (block.type === 'thinking' && block.signature !== undefined && run.log.redactor.finds(block.text)) {
      droppedThinking = true;
      continue;
    }
    if (block.type !== 'tool_use') {
      content.push(block.provider === undefined && block.type !== 'text' && block.type !== 'image' ? { ...block, provider } : block);
      lastCall = undefined;
      continue;
    }
    if (block.call_id !== '' && asSent.some((earlier) => sameCall(earlier, block))) continue;
    asSent.push(block);
    const call = withOwnId(run, block, calls, provider);
    content.push(call);
    calls.push(call);
    lastCall = call;
  }
  // Only the last block of a reply can be cut; whether its text happens to parse tells nothing.
  const cut = BREAKS_OFF.has(reply.stop_reason) && lastCall !== undefined ? [lastCall.call_id] : [];
  const said = content.some((block) => block.type === 'text' || block.type === 'image' || block.type === 'tool_use');
  const message: Message | null = said ? { id: run.ids.next('message'), role: 'assistant', content, time: run.log.clock.now() } : null;
  return { message, cutCallIds: cut, droppedThinking };
}

/** Reasons for which a reply stops wherever it is. */
const BREAKS_OFF: ReadonlySet<StopReason> = new Set(['max_tokens', 'context_overflow', 'refusal']);

function sameCall(a: ToolUseBlock, b: ToolUseBlock): boolean {
  if (a.call_id !== b.call_id || a.name !== b.name || a.arguments_text !== b.arguments_text) return false;
  return JSON.stringify(a.arguments) === JSON.stringify(b.arguments);
}

function withOwnId(run: LoopContext, call: ToolUseBlock, before: readonly ToolUseBlock[], provider: string): ToolUseBlock {
  const taken = call.call_id === '' || run.log.state.call_ids.has(call.call_id) || before.some((other) => other.call_id === call.call_id);
  const own = call.provider_data === undefined || call.provider !== undefined ? call : { ...call, provider };
  return taken ? { ...own, call_id: run.ids.next('call') } : own;
}
