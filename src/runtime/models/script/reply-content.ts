/** What a step replies, as blocks: thinking, then text, then tool calls, with their quotes filled in. */
import type { ModelRequest } from '../../ports.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../schema/json.ts';
import type { AssistantBlock, ToolUseBlock } from '../../schema/message.ts';
import { parseCallArguments } from '../call-arguments.ts';
import type { PlayableStep } from './playable-step.ts';
import { fillQuotes } from './quotes.ts';
import type { ScriptToolCall } from './script-schema.ts';

/** What a reply is made for. */
export interface ReplyContext {
  readonly request: ModelRequest;
  /** Number of the model call, from 1; goes into the ids of calls that have none. */
  readonly callNumber: number;
  /** Provider named in thinking blocks, which go back to no other. */
  readonly provider: string;
}

/** The blocks of a step's reply. Throws a `ModelError` when a quote finds nothing. */
export function replyContent(step: PlayableStep, context: ReplyContext): readonly AssistantBlock[] {
  if (step.content !== undefined) return step.content;
  const blocks: AssistantBlock[] = [];
  if (step.thinking !== undefined) {
    const seal = step.signature === undefined ? {} : { signature: step.signature };
    blocks.push({ type: 'thinking', text: step.thinking, ...seal, provider: context.provider });
  }
  if (step.text !== undefined) blocks.push({ type: 'text', text: fillQuotes(step.text, context.request) });
  step.tool_calls?.forEach((call, index) => {
    blocks.push(toolUse(call, `call_${context.callNumber}_${index + 1}`, context.request));
  });
  return blocks;
}

function toolUse(call: ScriptToolCall, defaultId: string, request: ModelRequest): ToolUseBlock {
  const block = { type: 'tool_use', call_id: call.id ?? defaultId, name: call.name } as const;
  if (call.arguments_text === undefined) return { ...block, arguments: filledObject(call.arguments ?? {}, request) };
  return { ...block, ...parseCallArguments(fillQuotes(call.arguments_text, request, withinJsonText)) };
}

function filledObject(value: JsonObject, request: ModelRequest): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, filled(inner, request)]));
}

function filled(value: JsonValue, request: ModelRequest): JsonValue {
  if (typeof value === 'string') return fillQuotes(value, request);
  if (Array.isArray(value)) return value.map((inner) => filled(inner, request));
  return isJsonObject(value) ? filledObject(value, request) : value;
}

function withinJsonText(quoted: string): string {
  return JSON.stringify(quoted).slice(1, -1);
}
