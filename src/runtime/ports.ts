/**
 * Ports: everything the loop needs from the world and does not do itself. Time, ids, randomness and
 * timers come in here (L7), so that a run can be played again; the model and the journal come in here,
 * so that the loop runs inline, in a thread and at the edge without knowing which. Each port states
 * what it may throw; what it does not state it must not do.
 */
import type { RunConfig } from './schema/config.ts';
import type { ErrorClass } from './schema/error-data.ts';
import type { DurableEvent } from './schema/event.ts';
import type { AssistantBlock, Message } from './schema/message.ts';
import type { RequestParams, StopReason } from './schema/model-request.ts';
import type { ToolDefinition } from './schema/tool-definition.ts';
import type { Usage } from './schema/usage.ts';

/** Tells the time. */
export interface Clock {
  /** Milliseconds since the epoch. Never throws. */
  now(): number;
}

/** What an id is for; shows in its prefix. */
export type IdKind = 'run' | 'message' | 'call' | 'control';

/** Makes ids. */
export interface Ids {
  /** A new id, unique within a run at least. Never throws. */
  next(kind: IdKind): string;
}

/** Randomness, for jitter only. */
export interface Random {
  /** A number from 0 (inclusive) to 1 (exclusive). Never throws. */
  next(): number;
}

/** What a timer is for. */
export type TimerKind =
  | 'run_timeout'
  | 'retry_wait'
  | 'first_content'
  | 'content_gap'
  | 'turn'
  | 'tool_timeout'
  | 'grace'
  | 'ping'
  | 'replay'
  | 'script_wait';

/** Sets timers of any length. */
export interface Timers {
  /**
   * Calls `fire` once after `ms` milliseconds, however many those are, and returns a function that
   * cancels it; cancelling twice, or after it fired, does nothing. Never throws.
   */
  set(ms: number, kind: TimerKind, fire: () => void): () => void;
}

/** Keeps the durable events of runs. */
export interface Journal {
  /** Takes one event, in order of `seq`. Returns at once and never throws: a failure is for `commit` to tell. */
  append(event: DurableEvent): void;
  /**
   * Resolves when every event up to `seq` is kept as safely as this journal keeps anything; resolves at
   * once where that is so already. Rejects when it cannot be, and every later call rejects as well.
   */
  commit(seq: number): Promise<void>;
  /** Events with `seq >= from` of the run, in order, as far as they have been appended. Rejects when they cannot be read. */
  read(from: number): Promise<readonly DurableEvent[]>;
}

/** Where the runtime reports what is no event: trouble in a listener, for instance. Never throws. */
export interface Logger {
  warn(message: string, data?: unknown): void;
}

/** What a model is asked. Never changed after it was handed over. */
export interface ModelRequest {
  readonly system?: string;
  readonly tools: readonly ToolDefinition[];
  /** Valid history: every call has its one result, in call order, right behind the calls. Ends with a user message. */
  readonly messages: readonly Message[];
  readonly params: RequestParams;
  /** Further HTTP headers; not in any event, since they may hold secrets. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a whole reply is made of. */
export interface ModelReply {
  /**
   * Blocks in the order in which the provider sent them, ids as the provider gave them ('' where it gave none).
   * Empty text blocks may be left in: the loop drops them.
   */
  readonly content: readonly AssistantBlock[];
  readonly stop_reason: StopReason;
  /** The provider's own word, where it says more. */
  readonly raw_stop_reason?: string;
  readonly usage: Usage;
}

/** One piece of a streamed reply; `reply` is last and holds all of it. */
export type ModelChunk =
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'thinking_delta'; readonly text: string }
  /** `call` counts the calls of the reply from 0; `name` comes with the first piece of each. */
  | { readonly type: 'tool_input_delta'; readonly call: number; readonly name?: string; readonly text: string }
  /** Usage known so far, replacing what was said before; counts when the reply never comes. */
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'reply'; readonly reply: ModelReply };

/** What the loop tells a model beside the request. */
export interface ModelCallOptions {
  /** Aborted when the run stops, a watchdog fires or a message cuts the call. Close the connection then. */
  readonly signal: AbortSignal;
  readonly iteration: number;
  /** From 1. The loop retries; a model must not. */
  readonly attempt: number;
}

/**
 * A model. `respond` either streams chunks that end with a `reply`, or resolves to the whole reply.
 *
 * Failure contract: it throws (rejects) a `ModelError` that says its class, or any other error, which is then
 * classified by `hooks.classifyError` and else by the loop. A stream that ends without `reply` counts as a broken
 * connection. After an abort it may throw whatever it likes or nothing; nobody waits for it. It never retries
 * and never waits for a rate limit by itself.
 */
export interface Model {
  /** Name of the provider, as in a block's `provider`. */
  readonly provider: string;
  /** Name of the model, as the provider knows it. */
  readonly model: string;
  /** Keys that must never leave; replaced wherever an event would hold one. */
  readonly secrets?: readonly string[];
  /** Output limit that is sent when the config sets none, because the provider insists on one. */
  readonly requiredMaxOutputTokens?: number;
  /**
   * Gets ready for the first request (loads an SDK, say), so that no watchdog counts the time it takes. Called before the first
   * iteration and when the model is changed to; may be called again. A rejection ends the start, or refuses the change.
   */
  prepare?(): Promise<void>;
  respond(request: ModelRequest, options: ModelCallOptions): AsyncIterable<ModelChunk> | Promise<ModelReply>;
}

/** Turns a model spec such as `anthropic:claude-x` into a model. Throws a `ConfigError` that names the spec when it cannot. */
export type ResolveModel = (spec: string) => Model | Promise<Model>;

/** What a model call is to cost. */
export interface PricedCall {
  readonly provider: string;
  readonly model: string;
  readonly usage: Usage;
  /** Milliseconds since the epoch. */
  readonly time: number;
}

/** Price of a call in US dollars, or null when it is not known (never 0 for "unknown"). Must not throw; a throw counts as null. */
export interface EstimateCost {
  (call: PricedCall): number | null;
  /** Where the prices come from, for the journal. */
  readonly source?: string;
}

/** Further options of a model request, for one iteration. */
export interface ModelOptions {
  readonly tool_choice?: RequestParams['tool_choice'];
  readonly thinking?: RunConfig['thinking'];
  readonly headers?: Readonly<Record<string, string>>;
  readonly extra_body?: RequestParams['extra_body'];
}

/** Says which class an error of a model call is; undefined leaves it to the loop. */
export type ClassifyError = (error: unknown) => ErrorClass | undefined;
