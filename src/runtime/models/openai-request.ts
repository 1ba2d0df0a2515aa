/** A model request as the body of a Chat Completions request. Translates, and adds nothing that was not asked for. */
import type OpenAI from 'openai';
import type { ModelRequest } from '../ports.ts';
import type { ImageBlock, TextBlock, ToolResultBlock, ToolUseBlock } from '../schema/message.ts';
import type { RequestParams } from '../schema/model-request.ts';
import { imageNote, imageSource } from './images.ts';
import { type AssistantTurn, isBlankText, mergeMessages, type UserTurn } from './merge-messages.ts';
import { wellFormedJson } from './well-formed-json.ts';

/** What of a model is needed to write its requests. */
export interface OpenAiRequestOptions {
  readonly model: string;
  /** Whose reasoning and own data go back. */
  readonly provider: string;
  /** Name of the field for the output limit: OpenAI's own, or the older one that other servers know. */
  readonly maxTokensField: 'max_completion_tokens' | 'max_tokens';
  /** Ids of calls that the server accepts. */
  readonly acceptedCallId: RegExp;
}

type Body = OpenAI.Chat.ChatCompletionCreateParamsStreaming;
type Sent = OpenAI.Chat.ChatCompletionMessageParam;
type Part = OpenAI.Chat.ChatCompletionContentPartText | OpenAI.Chat.ChatCompletionContentPartImage;

/**
 * The body of a request. A thinking level is sent as `reasoning_effort`; `off` is not sent, since there is no value that
 * turns reasoning off for every model. `params.extra_body` wins over what stands here, but for `stream`. Never throws.
 */
export function openAiBody(request: ModelRequest, options: OpenAiRequestOptions): Body {
  const { params, tools } = request;
  const conversation = mergeMessages(request, options);
  const messages: Sent[] = conversation.system === undefined ? [] : [{ role: 'system', content: conversation.system }];
  let open: readonly ToolUseBlock[] = [];
  for (const turn of conversation.turns) {
    if (turn.role === 'user') messages.push(...userMessages(turn, open));
    else messages.push(assistantMessage(turn, options.provider));
    open = turn.role === 'assistant' ? turn.calls : [];
  }
  return wellFormedJson({
    model: options.model,
    messages,
    ...(tools.length > 0 && { tools: tools.map(toolOf), ...toolChoice(params.tool_choice) }),
    ...(params.max_output_tokens !== undefined && { [options.maxTokensField]: params.max_output_tokens }),
    ...(params.temperature !== undefined && { temperature: params.temperature }),
    ...(params.thinking !== undefined && params.thinking !== 'off' && { reasoning_effort: params.thinking }),
    stream_options: { include_usage: true },
    ...params.extra_body,
    stream: true,
  });
}

function toolOf(tool: ModelRequest['tools'][number]): OpenAI.Chat.ChatCompletionFunctionTool {
  return { type: 'function', function: { name: tool.name, description: tool.description, parameters: tool.input_schema } };
}

function toolChoice(choice: RequestParams['tool_choice']): { tool_choice?: OpenAI.Chat.ChatCompletionToolChoiceOption } {
  if (choice === undefined) return {};
  return { tool_choice: typeof choice === 'object' ? { type: 'function', function: { name: choice.name } } : choice };
}

/** A message for each result, in call order, then one of the user. Pictures of results can only stand in the latter. */
function userMessages(turn: UserTurn, calls: readonly ToolUseBlock[]): Sent[] {
  const pictures = turn.results.flatMap((result) => picturesOf(result, calls));
  const parts = [...pictures, ...turn.parts.map(partOf)];
  const results = turn.results.map((result): Sent => ({ role: 'tool', tool_call_id: result.call_id, content: resultText(result) }));
  return parts.length === 0 ? results : [...results, { role: 'user', content: contentOf(parts) }];
}

/** There is no flag for a failed call, so its text must say it. */
function resultText(result: ToolResultBlock): string {
  const texts = result.content.flatMap((block) => (block.type === 'text' && !isBlankText(block.text) ? [block.text] : []));
  const images = result.content.filter((block) => block.type === 'image').length;
  if (images > 0) texts.push(`[${images} image(s), shown in the next user message]`);
  const text = texts.join('\n') || '(no output)';
  return result.is_error && !/^error/i.test(text) ? `Error: ${text}` : text;
}

function picturesOf(result: ToolResultBlock, calls: readonly ToolUseBlock[]): Part[] {
  const images = result.content.filter((block) => block.type === 'image');
  if (images.length === 0) return [];
  const name = calls.find((call) => call.call_id === result.call_id)?.name ?? 'a tool';
  return [{ type: 'text', text: `From the result of ${name} (call ${result.call_id}):` }, ...images.map(partOf)];
}

function partOf(block: TextBlock | ImageBlock): Part {
  if (block.type === 'text') return { type: 'text', text: block.text };
  const source = imageSource(block);
  if (source === undefined) return { type: 'text', text: imageNote(block) };
  return { type: 'image_url', image_url: { url: source.kind === 'url' ? source.url : `data:${source.mediaType};base64,${source.data}` } };
}

/** Text alone goes as a plain text, which every server understands. */
function contentOf(parts: readonly Part[]): string | Part[] {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length === parts.length ? texts.join('\n\n') : [...parts];
}

/** Reasoning goes back with calls only: servers that send it want it there, and nowhere else. */
function assistantMessage(turn: AssistantTurn, provider: string): Sent {
  const text = turn.said.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
  if (turn.calls.length === 0) return { role: 'assistant', content: text };
  const reasoning = turn.said.flatMap((block) => (block.type === 'thinking' ? [block.text] : [])).join('');
  const message = {
    role: 'assistant' as const,
    content: text === '' ? null : text,
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    tool_calls: turn.calls.map((call) => callOf(call, provider)),
  };
  return message;
}

/** Arguments that did not parse are sent as none: servers refuse a history with text in it that is no JSON. */
function callOf(call: ToolUseBlock, provider: string): OpenAI.Chat.ChatCompletionMessageFunctionToolCall {
  const extra = call.provider === provider ? call.provider_data?.['extra_content'] : undefined;
  return {
    id: call.call_id,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
    ...(extra !== undefined && { extra_content: extra }),
  };
}
