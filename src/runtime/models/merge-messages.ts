/**
 * Messages as turns: what both providers need before either puts them into its own words. User messages in a row
 * become one turn, results first; what has nothing to say is left out; thinking of another provider is left out;
 * system messages join the system prompt. The history is valid already (L1), nothing here repairs it.
 */
import { joinPrompt } from '../join-prompt.ts';
import type { ModelRequest } from '../ports.ts';
import type {
  ImageBlock,
  Message,
  RedactedThinkingBlock,
  TextBlock,
  ThinkingBlock,
  ToolResultBlock,
  ToolUseBlock,
} from '../schema/message.ts';
import { type CallIds, callIds, callName } from './call-names.ts';
import { imageNote } from './images.ts';

/** What a user, or the tools, told the model. */
export interface UserTurn {
  readonly role: 'user';
  /** In call order; they come before everything else. */
  readonly results: readonly ToolResultBlock[];
  /** No text of them is blank. */
  readonly parts: readonly (TextBlock | ImageBlock)[];
}

/** What the model said, and what it asked for. At least one text that is not blank, or one call. */
export interface AssistantTurn {
  readonly role: 'assistant';
  readonly said: readonly (TextBlock | ThinkingBlock | RedactedThinkingBlock)[];
  /** They come after everything else. */
  readonly calls: readonly ToolUseBlock[];
}

/** A conversation ready to be translated. It ends with a user turn. */
export interface Conversation {
  readonly system: string | undefined;
  readonly turns: readonly (UserTurn | AssistantTurn)[];
}

/** What a provider insists on. */
export interface ProviderRules {
  /** Whose thinking and own data may be sent. */
  readonly provider: string;
  /** Ids of calls that it accepts. */
  readonly acceptedCallId: RegExp;
}

/** Stands where a provider wants a user turn and there is none with anything in it. */
export const NOTHING_SAID: TextBlock = { type: 'text', text: '(no text)' };

/** Turns the messages of a request into a conversation for one provider. */
export function mergeMessages(request: Pick<ModelRequest, 'system' | 'messages'>, rules: ProviderRules): Conversation {
  const system = request.system === undefined ? [] : [request.system];
  const turns: (UserTurn | AssistantTurn)[] = [];
  const ids = callIds(rules.acceptedCallId);
  for (const message of request.messages) {
    if (message.role === 'system') system.push(...textsOf(message));
    else if (message.role === 'user') addUserTurn(turns, userTurn(message, ids));
    else addAssistantTurn(turns, assistantTurn(message, rules.provider, ids));
  }
  if (turns.at(-1)?.role !== 'user') turns.push({ role: 'user', results: [], parts: [NOTHING_SAID] });
  return { system: joinPrompt(system), turns };
}

/** Whether a text has nothing to read in it; providers refuse such a block. */
export function isBlankText(text: string): boolean {
  return text.trim() === '';
}

function userTurn(message: Message, ids: CallIds): UserTurn {
  const results: ToolResultBlock[] = [];
  const parts: (TextBlock | ImageBlock)[] = [];
  for (const block of message.content) {
    if (block.type === 'tool_result') results.push({ ...block, call_id: ids(block.call_id) });
    else if (block.type === 'image' || (block.type === 'text' && !isBlankText(block.text))) parts.push(block);
  }
  return { role: 'user', results, parts };
}

function addUserTurn(turns: (UserTurn | AssistantTurn)[], turn: UserTurn): void {
  if (turn.results.length === 0 && turn.parts.length === 0) return;
  const last = turns.at(-1);
  if (last?.role !== 'user') turns.push(turn);
  else turns[turns.length - 1] = { role: 'user', results: [...last.results, ...turn.results], parts: [...last.parts, ...turn.parts] };
}

function assistantTurn(message: Message, provider: string, ids: CallIds): AssistantTurn {
  const said: (TextBlock | ThinkingBlock | RedactedThinkingBlock)[] = [];
  const calls: ToolUseBlock[] = [];
  for (const block of message.content) {
    if (block.type === 'tool_use') calls.push({ ...block, call_id: ids(block.call_id), name: callName(block.name) });
    else if (block.type === 'image') said.push({ type: 'text', text: imageNote(block) });
    else if (block.type === 'text' && !isBlankText(block.text)) said.push(block);
    else if ((block.type === 'thinking' || block.type === 'redacted_thinking') && block.provider === provider) said.push(block);
  }
  return { role: 'assistant', said, calls };
}

/** A turn of thinking alone says nothing to anybody, and providers refuse a message that ends with it. */
function addAssistantTurn(turns: (UserTurn | AssistantTurn)[], turn: AssistantTurn): void {
  if (turn.calls.length > 0 || turn.said.some((block) => block.type === 'text')) turns.push(turn);
}

function textsOf(message: Message): string[] {
  return message.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
}
