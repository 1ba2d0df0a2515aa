/**
 * A model's reply, made fit for the history (L1, L3): no empty text, every call with an id that is unique in the run, a call
 * that came twice kept once, and the calls that the output limit cut named.
 */
import { isBlank } from '../input.ts';
import type { ModelReply } from '../ports.ts';
import type { Redactor } from '../redactor.ts';
import { isTooDeep, MOST_LEVELS } from '../schema/json.ts';
import type { AssistantBlock, Block, Message, ToolUseBlock } from '../schema/message.ts';
import type { StopReason } from '../schema/model-request.ts';
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
  const spoken = reply.content.filter((block) => !isBlank(block)).map(withinDepth);
  const clean = spoken.filter((block) => !holdsSealedKey(run.log.redactor, block));
  const content = asOwn(run, withoutRepeats(clean));
  const said = content.some((block) => block.type === 'text' || block.type === 'image' || block.type === 'tool_use');
  const message: Message | null = said ? { id: run.ids.next('message'), role: 'assistant', content, time: run.log.clock.now() } : null;
  // Only the last block of a reply can be cut; whether its text happens to parse tells nothing.
  const last = content.at(-1);
  const cutCallIds = BREAKS_OFF.has(reply.stop_reason) && last?.type === 'tool_use' ? [last.call_id] : [];
  return { message, cutCallIds, droppedThinking: clean.length < spoken.length };
}

/** Reasons for which a reply stops wherever it is. */
const BREAKS_OFF: ReadonlySet<StopReason> = new Set(['max_tokens', 'context_overflow', 'refusal']);

/** Whether a block is thinking with a known key in it, which cannot be taken out without breaking the signature. */
export function holdsSealedKey(redactor: Redactor, block: Block): boolean {
  return block.type === 'thinking' && block.signature !== undefined && redactor.finds(block.text);
}

/** Says in the journal that thinking was dropped for a key in it. */
export function warnOfDroppedThinking(log: LoopContext['log']): void {
  log.warn('thinking_dropped', 'A signed thinking block held a known key and was dropped.');
}

/** Stands for arguments that are nested too deep, where there is no text of them: JSON, and no object, so that they are never run. */
const TOO_DEEP_TEXT = `"[nested deeper than ${MOST_LEVELS} levels]"`;

/** The block without data that nobody could walk: such arguments count as broken ones, such data of a provider is left out. */
function withinDepth(block: AssistantBlock): AssistantBlock {
  if (block.provider_data !== undefined && isTooDeep(block.provider_data)) {
    const { provider_data: _, ...rest } = block;
    return withinDepth(rest);
  }
  if (block.type !== 'tool_use' || !isTooDeep(block.arguments)) return block;
  return { ...block, arguments: {}, arguments_text: block.arguments_text ?? TOO_DEEP_TEXT };
}

function withoutRepeats(blocks: readonly AssistantBlock[]): AssistantBlock[] {
  return blocks.filter((block, index) => {
    if (block.type !== 'tool_use' || block.call_id === '') return true;
    return !blocks.slice(0, index).some((earlier) => earlier.type === 'tool_use' && sameCall(earlier, block));
  });
}

function sameCall(a: ToolUseBlock, b: ToolUseBlock): boolean {
  if (a.call_id !== b.call_id || a.name !== b.name || a.arguments_text !== b.arguments_text) return false;
  return JSON.stringify(a.arguments) === JSON.stringify(b.arguments);
}

/** The blocks with their provider named where they hold data for it alone, and each call with an id that no other has. */
function asOwn(run: LoopContext, blocks: readonly AssistantBlock[]): AssistantBlock[] {
  const { provider } = run.model.current;
  const ids = new Set<string>();
  return blocks.map((block) => {
    const named = block.provider === undefined && isForOneProvider(block) ? { ...block, provider } : block;
    if (named.type !== 'tool_use') return named;
    const taken = named.call_id === '' || run.log.state.call_ids.has(named.call_id) || ids.has(named.call_id);
    const call = taken ? { ...named, call_id: run.ids.next('call') } : named;
    ids.add(call.call_id);
    return call;
  });
}

function isForOneProvider(block: AssistantBlock): boolean {
  if (block.type === 'tool_use') return block.provider_data !== undefined;
  return block.type === 'thinking' || block.type === 'redacted_thinking';
}
