/**
 * The reply of a Chat Completions server, built from its chunks. Many servers speak this format and each bends it, so
 * every part of a chunk is read as if it might be missing.
 */
import { ModelError } from '../errors.ts';
import type { ModelChunk, ModelReply } from '../ports.ts';
import { isJsonObject, type JsonObject } from '../schema/json.ts';
import type { AssistantBlock, ToolUseBlock } from '../schema/message.ts';
import type { StopReason } from '../schema/model-request.ts';
import { NO_USAGE, type Usage } from '../schema/usage.ts';
import { parseCallArguments } from './call-arguments.ts';
import { readErrorBody } from './error-body.ts';
import { classOfError } from './error-class.ts';
import { type AddedPiece, type StreamedCall, StreamedCalls } from './openai-calls.ts';
import { openAiUsage } from './openai-usage.ts';
import type { ReplyBuilder } from './provider-call.ts';

const STOP_REASONS: ReadonlyMap<string, StopReason> = new Map([
  ['stop', 'end_turn'],
  ['length', 'max_tokens'],
  ['tool_calls', 'tool_use'],
  ['function_call', 'tool_use'],
  ['content_filter', 'refusal'],
]);

type Spoken = { readonly type: 'text' | 'thinking'; text: string };

/** Builds one reply. */
export class OpenAiReply implements ReplyBuilder {
  readonly #provider: string;
  readonly #sawDone: () => boolean;
  readonly #content: (Spoken | StreamedCall)[] = [];
  readonly #calls = new StreamedCalls();
  #usage: Usage = { ...NO_USAGE, complete: false };
  #finishReason: string | undefined;
  #refused = false;

  /** `sawDone` tells whether the stream's last line has come, which the SDK does not. */
  constructor(provider: string, sawDone: () => boolean) {
    this.#provider = provider;
    this.#sawDone = sawDone;
  }

  /** Takes one chunk. Throws a `ModelError` when it says that the server failed. */
  take(chunk: unknown): readonly ModelChunk[] {
    if (!isJsonObject(chunk)) return [];
    const out: ModelChunk[] = [];
    const usage = openAiUsage(chunk['usage']);
    if (usage !== undefined) {
      this.#usage = usage;
      out.push({ type: 'usage', usage });
    }
    const choice = firstChoice(chunk['choices']);
    if (choice === undefined) return out;
    const reason = choice['finish_reason'];
    if (choice['error'] || reason === 'error') throw this.#failure(choice['error']);
    if (typeof reason === 'string' && reason !== '') this.#finishReason = reason;
    if (isJsonObject(choice['delta'])) this.#extend(choice['delta'], out);
    return out;
  }

  /** The reply, once its end was told by a finish reason or by the stream's last line. */
  finish(): ModelReply | undefined {
    if (this.#finishReason === undefined && !this.#sawDone()) return undefined;
    return {
      content: this.#content.map((part) => ('type' in part ? this.#spokenBlock(part) : this.#callBlock(part))),
      stop_reason: this.#refused ? 'refusal' : (STOP_REASONS.get(this.#finishReason ?? '') ?? 'other'),
      ...(this.#finishReason !== undefined && { raw_stop_reason: this.#finishReason }),
      usage: this.#usage,
    };
  }

  #extend(delta: JsonObject, out: ModelChunk[]): void {
    const reasoning = delta['reasoning_content'];
    this.#say('thinking', typeof reasoning === 'string' && reasoning !== '' ? reasoning : delta['reasoning'], out);
    this.#sayContent(delta['content'], out);
    if (typeof delta['refusal'] === 'string' && delta['refusal'] !== '') {
      this.#refused = true;
      this.#say('text', delta['refusal'], out);
    }
    if (!Array.isArray(delta['tool_calls'])) return;
    for (const entry of delta['tool_calls']) {
      const piece = this.#calls.push(entry);
      if (piece !== undefined) this.#addPiece(piece, out);
    }
  }

  /** Content is a text, or (Mistral) a list of parts, of which a thinking one holds a list of its own. */
  #sayContent(content: unknown, out: ModelChunk[], type: Spoken['type'] = 'text'): void {
    const parts: readonly unknown[] = Array.isArray(content) ? content : [{ text: content }];
    for (const part of parts) {
      if (!isJsonObject(part)) continue;
      if (part['type'] === 'thinking') this.#sayContent(part['thinking'], out, 'thinking');
      else this.#say(type, part['text'], out);
    }
  }

  #say(type: Spoken['type'], text: unknown, out: ModelChunk[]): void {
    if (typeof text !== 'string' || text === '') return;
    const last = this.#content.at(-1);
    if (last !== undefined && 'type' in last && last.type === type) last.text += text;
    else this.#content.push({ type, text });
    out.push({ type: type === 'text' ? 'text_delta' : 'thinking_delta', text });
  }

  #addPiece({ call, isNew, text }: AddedPiece, out: ModelChunk[]): void {
    if (isNew) this.#content.push(call);
    if (isNew || text !== '') out.push({ type: 'tool_input_delta', call: call.call, ...(isNew && { name: call.name }), text });
  }

  #spokenBlock({ type, text }: Spoken): AssistantBlock {
    return type === 'text' ? { type, text } : { type, text, provider: this.#provider };
  }

  #callBlock({ id, name, text, extra }: StreamedCall): ToolUseBlock {
    const own = extra === undefined ? {} : { provider: this.#provider, provider_data: { extra_content: extra } };
    return { type: 'tool_use', call_id: id, name, ...parseCallArguments(text), ...own };
  }

  #failure(error: unknown): ModelError {
    const body = readErrorBody(error);
    return new ModelError(classOfError(body, undefined), `${this.#provider} broke its reply off with an error: ${body.message}`);
  }
}

function firstChoice(choices: unknown): JsonObject | undefined {
  if (!Array.isArray(choices)) return undefined;
  return choices.find((choice): choice is JsonObject => isJsonObject(choice) && (choice['index'] ?? 0) === 0);
}
