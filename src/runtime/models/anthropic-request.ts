/** A model request as the body of Anthropic's Messages API. Translates, and marks what the prompt cache should keep. */
import type Anthropic from '@anthropic-ai/sdk';
import type { ModelRequest } from '../ports.ts';
import type { ImageBlock, RedactedThinkingBlock, TextBlock, ThinkingBlock, ToolResultBlock, ToolUseBlock } from '../schema/message.ts';
import type { ToolDefinition } from '../schema/tool-definition.ts';
import { type ThinkingStyle, thinkingFields } from './anthropic-thinking.ts';
import { imageNote, imageSource } from './images.ts';
import { type AssistantTurn, isBlankText, mergeMessages, NOTHING_SAID, type UserTurn } from './merge-messages.ts';
import { wellFormedJson } from './well-formed-json.ts';

/** Name of the provider in blocks and events. */
export const ANTHROPIC = 'anthropic';

/** What of a model is needed to write its requests. */
export interface AnthropicRequestOptions {
  readonly model: string;
  /** Output limit where the request sets none. */
  readonly maxTokens: number;
  readonly thinkingStyle: ThinkingStyle;
  readonly promptCaching: boolean;
}

type Body = Anthropic.MessageCreateParamsStreaming;
type UserPart = Anthropic.TextBlockParam | Anthropic.ImageBlockParam | Anthropic.ToolResultBlockParam;
type AssistantPart =
  | Anthropic.TextBlockParam
  | Anthropic.ThinkingBlockParam
  | Anthropic.RedactedThinkingBlockParam
  | Anthropic.ToolUseBlockParam;
type Turn = { role: 'user'; content: UserPart[] } | { role: 'assistant'; content: AssistantPart[] };

const CACHED = { cache_control: { type: 'ephemeral' } } as const;

/** The body of a request. `params.extra_body` wins over what stands here, but for `stream`. Never throws. */
export function anthropicBody(request: ModelRequest, options: AnthropicRequestOptions): Body {
  const { params } = request;
  const conversation = mergeMessages(request, { provider: ANTHROPIC, acceptedCallId: /^[a-zA-Z0-9_-]+$/ });
  const messages = turnsOf(conversation.turns);
  const maxTokens = params.max_output_tokens ?? options.maxTokens;
  const thinking = thinkingFields(params, { style: options.thinkingStyle, maxTokens, unthoughtCall: hasUnthoughtCall(messages) });
  const thinks = thinking.thinking !== undefined && thinking.thinking.type !== 'disabled';
  if (options.promptCaching) markStablePrefix(messages);
  return wellFormedJson({
    model: options.model,
    max_tokens: maxTokens,
    ...(conversation.system !== undefined && { system: systemOf(conversation.system, options.promptCaching) }),
    ...(request.tools.length > 0 && { tools: toolsOf(request.tools, options.promptCaching), ...toolChoice(params.tool_choice) }),
    messages,
    ...thinking,
    // A model that thinks takes no temperature.
    ...(params.temperature !== undefined && !thinks && { temperature: params.temperature }),
    ...params.extra_body,
    stream: true,
  });
}

function systemOf(text: string, cached: boolean): Anthropic.TextBlockParam[] {
  return [{ type: 'text', text, ...(cached && CACHED) }];
}

function toolsOf(tools: readonly ToolDefinition[], cached: boolean): Anthropic.Tool[] {
  return tools.map((tool, index) => ({
    name: tool.name,
    description: tool.description,
    input_schema: { ...tool.input_schema, type: 'object' },
    ...(cached && index === tools.length - 1 && CACHED),
  }));
}

function toolChoice(choice: ModelRequest['params']['tool_choice']): { tool_choice?: Anthropic.ToolChoice } {
  if (choice === undefined) return {};
  if (typeof choice === 'object') return { tool_choice: { type: 'tool', name: choice.name } };
  return { tool_choice: { type: choice === 'required' ? 'any' : choice } };
}

function turnsOf(turns: readonly (UserTurn | AssistantTurn)[]): Turn[] {
  const messages: Turn[] = turns.map((turn) =>
    turn.role === 'user' ? { role: 'user', content: userParts(turn) } : { role: 'assistant', content: assistantParts(turn) },
  );
  if (messages[0]?.role !== 'user') messages.unshift({ role: 'user', content: [{ type: 'text', text: NOTHING_SAID.text }] });
  return messages;
}

function userParts(turn: UserTurn): UserPart[] {
  return [...turn.results.map(resultPart), ...turn.parts.map(shownPart)];
}

function resultPart(result: ToolResultBlock): Anthropic.ToolResultBlockParam {
  const shown = result.content.filter((block) => block.type === 'image' || !isBlankText(block.text)).map(shownPart);
  return {
    type: 'tool_result',
    tool_use_id: result.call_id,
    content: shown.length > 0 ? shown : [{ type: 'text', text: '(no output)' }],
    ...(result.is_error && { is_error: true }),
  };
}

function shownPart(block: TextBlock | ImageBlock): Anthropic.TextBlockParam | Anthropic.ImageBlockParam {
  if (block.type === 'text') return { type: 'text', text: block.text };
  const source = imageSource(block);
  if (source === undefined) return { type: 'text', text: imageNote(block) };
  if (source.kind === 'url') return { type: 'image', source: { type: 'url', url: source.url } };
  return { type: 'image', source: { type: 'base64', media_type: source.mediaType, data: source.data } };
}

/** Thinking that stands behind the last word is left out with what was cut there: a turn may not end with it. */
function assistantParts(turn: AssistantTurn): AssistantPart[] {
  const said = turn.said.map(saidPart).filter((part) => part !== undefined);
  while (turn.calls.length === 0 && said.length > 0 && said.at(-1)?.type !== 'text') said.pop();
  return [...said, ...turn.calls.map(callPart)];
}

function saidPart(block: TextBlock | ThinkingBlock | RedactedThinkingBlock): AssistantPart | undefined {
  if (block.type === 'text') return { type: 'text', text: block.text };
  if (block.type === 'redacted_thinking') return { type: 'redacted_thinking', data: block.data };
  return block.signature ? { type: 'thinking', thinking: block.text, signature: block.signature } : undefined;
}

function callPart(block: ToolUseBlock): Anthropic.ToolUseBlockParam {
  return { type: 'tool_use', id: block.call_id, name: block.name, input: block.arguments };
}

/** Whether the turn that goes on, all since the last message of a person, holds a call without thinking before it. */
function hasUnthoughtCall(messages: readonly Turn[]): boolean {
  for (const { role, content } of [...messages].reverse()) {
    if (role === 'user' && !content.some((part) => part.type === 'tool_result')) return false;
    const first = content[0]?.type;
    if (content.some((part) => part.type === 'tool_use') && first !== 'thinking' && first !== 'redacted_thinking') return true;
  }
  return false;
}

/**
 * Marks the end of the conversation, where the next request reads the cache, and the user turn before it, where this one
 * does. With tools and system prompt these are the four marks that a request may have.
 */
function markStablePrefix(messages: Turn[]): void {
  const turns = messages.filter((message) => message.role === 'user').slice(-2);
  for (const { content } of turns) {
    const last = content.at(-1);
    if (last !== undefined) Object.assign(last, CACHED);
  }
}
