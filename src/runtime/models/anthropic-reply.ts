/**
 * The reply of Anthropic's Messages API, built from its raw events. The text of arguments is collected as it came, since
 * what the SDK would make of a call that was cut looks whole (L3).
 */
import type Anthropic from '@anthropic-ai/sdk';
import type { ModelChunk, ModelReply } from '../ports.ts';
import { isJsonObject, type JsonObject } from '../schema/json.ts';
import type { AssistantBlock } from '../schema/message.ts';
import type { StopReason } from '../schema/model-request.ts';
import { NO_USAGE, type Usage } from '../schema/usage.ts';
import { ANTHROPIC } from './anthropic-request.ts';
import { parseCallArguments } from './call-arguments.ts';
import type { ReplyBuilder } from './provider-call.ts';

const STOP_REASONS: ReadonlyMap<string, StopReason> = new Map([
  ['end_turn', 'end_turn'],
  ['tool_use', 'tool_use'],
  ['max_tokens', 'max_tokens'],
  ['stop_sequence', 'stop_sequence'],
  ['refusal', 'refusal'],
  ['pause_turn', 'pause_turn'],
  ['model_context_window_exceeded', 'context_overflow'],
]);

type OpenBlock =
  | { readonly type: 'text'; text: string }
  | { readonly type: 'thinking'; text: string; signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | {
      readonly type: 'tool_use';
      readonly id: string;
      readonly name: string;
      readonly call: number;
      readonly input: JsonObject;
      text: string;
    };

/** Builds one reply. */
export class AnthropicReply implements ReplyBuilder {
  /** By the index that events name; blocks of kinds that the loop does not know are not in it. */
  readonly #blocks = new Map<number, OpenBlock>();
  #calls = 0;
  #usage: Usage = { ...NO_USAGE, complete: false };
  #stopReason: string | undefined;
  readonly #sawLastEvent: () => boolean;

  /** `sawLastEvent` tells whether `message_stop` has come, which the SDK need not hand on. */
  constructor(sawLastEvent: () => boolean) {
    this.#sawLastEvent = sawLastEvent;
  }

  /** Takes one raw event. An event that is none is passed over. */
  take(event: unknown): readonly ModelChunk[] {
    if (!isJsonObject(event)) return [];
    // What the SDK hands out is the provider's JSON, unchecked: its types are a promise, and missing parts are tolerated.
    const known = event as unknown as Anthropic.RawMessageStreamEvent;
    switch (known.type) {
      case 'message_start':
        return this.#count(known.message?.usage, false);
      case 'content_block_start':
        return this.#open(known.index, known.content_block);
      case 'content_block_delta':
        return this.#extend(known.index, known.delta);
      case 'message_delta':
        this.#stopReason = wordsOf(known.delta?.stop_reason) || this.#stopReason;
        return this.#count(known.usage, true);
      default:
        return [];
    }
  }

  /** The reply, once its end was told by a stop reason or the last event. */
  finish(): ModelReply | undefined {
    if (this.#stopReason === undefined && !this.#sawLastEvent()) return undefined;
    return {
      content: [...this.#blocks.values()].map(finishedBlock),
      stop_reason: STOP_REASONS.get(this.#stopReason ?? '') ?? 'other',
      ...(this.#stopReason !== undefined && { raw_stop_reason: this.#stopReason }),
      usage: this.#usage,
    };
  }

  /** The numbers of a later event are totals: they replace the earlier ones, where there are any. */
  #count(usage: Partial<Anthropic.MessageDeltaUsage> | undefined, complete: boolean): readonly ModelChunk[] {
    const before = this.#usage;
    this.#usage = {
      input_tokens: countOf(usage?.input_tokens) ?? before.input_tokens,
      output_tokens: countOf(usage?.output_tokens) ?? before.output_tokens,
      cache_read_tokens: countOf(usage?.cache_read_input_tokens) ?? before.cache_read_tokens,
      cache_write_tokens: countOf(usage?.cache_creation_input_tokens) ?? before.cache_write_tokens,
      complete: before.complete || (complete && countOf(usage?.output_tokens) !== undefined),
    };
    return [{ type: 'usage', usage: this.#usage }];
  }

  #open(index: number, block: Anthropic.ContentBlock): readonly ModelChunk[] {
    const opened = this.#openBlock(block);
    if (opened === undefined) return [];
    this.#blocks.set(index, opened);
    if (opened.type === 'tool_use') return [{ type: 'tool_input_delta', call: opened.call, name: opened.name, text: '' }];
    if (opened.type === 'redacted_thinking' || opened.text === '') return [];
    return [{ type: opened.type === 'text' ? 'text_delta' : 'thinking_delta', text: opened.text }];
  }

  #openBlock(block: Anthropic.ContentBlock | undefined): OpenBlock | undefined {
    if (block?.type === 'text') return { type: 'text', text: wordsOf(block.text) };
    if (block?.type === 'thinking') return { type: 'thinking', text: wordsOf(block.thinking), signature: wordsOf(block.signature) };
    if (block?.type === 'redacted_thinking') return { type: 'redacted_thinking', data: wordsOf(block.data) };
    if (block?.type !== 'tool_use') return undefined;
    const input = isJsonObject(block.input) ? block.input : {};
    return { type: 'tool_use', id: wordsOf(block.id), name: wordsOf(block.name), call: this.#calls++, input, text: '' };
  }

  #extend(index: number, delta: Anthropic.RawContentBlockDelta): readonly ModelChunk[] {
    const block = this.#blocks.get(index);
    if (block?.type === 'text' && delta?.type === 'text_delta') {
      const text = wordsOf(delta.text);
      block.text += text;
      return text === '' ? [] : [{ type: 'text_delta', text }];
    }
    if (block?.type === 'thinking' && delta?.type === 'thinking_delta') {
      const text = wordsOf(delta.thinking);
      block.text += text;
      return text === '' ? [] : [{ type: 'thinking_delta', text }];
    }
    if (block?.type === 'thinking' && delta?.type === 'signature_delta') block.signature = wordsOf(delta.signature);
    if (block?.type !== 'tool_use' || delta?.type !== 'input_json_delta') return [];
    const text = wordsOf(delta.partial_json);
    block.text += text;
    return text === '' ? [] : [{ type: 'tool_input_delta', call: block.call, text }];
  }
}

/** A text of the provider's JSON; '' where it is none. */
function wordsOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A count of the provider's JSON; undefined where it is none. */
function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function finishedBlock(block: OpenBlock): AssistantBlock {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'thinking':
      return { type: 'thinking', text: block.text, ...(block.signature !== '' && { signature: block.signature }), provider: ANTHROPIC };
    case 'redacted_thinking':
      return { type: 'redacted_thinking', data: block.data, provider: ANTHROPIC };
    case 'tool_use': {
      // A gateway may send the whole input with the start of the block and no text of it afterwards.
      const args = block.text === '' ? { arguments: block.input } : parseCallArguments(block.text);
      return { type: 'tool_use', call_id: block.id, name: block.name, ...args };
    }
  }
}
