/**
 * Run: the one thing that everybody who watches or steers knows, whether the loop runs in this thread, in
 * a worker thread, behind HTTP or only in a recording.
 */
import type { RunConfig } from './schema/config.ts';
import type { Control, Fate, UserContent } from './schema/control.ts';
import type { ErrorData } from './schema/error-data.ts';
import type { DoneEvent, DoneReason, RunEvent } from './schema/event.ts';
import type { JsonObject, JsonValue } from './schema/json.ts';
import type { Message } from './schema/message.ts';
import type { Usage } from './schema/usage.ts';

/** Whether a control was accepted. `ok: true` means it stands in the journal. */
export interface Acceptance {
  readonly ok: boolean;
  /** Why not: `queue_full`, `run_over`, `id_reused`, `unsupported`, `invalid`, `crashed`, ... */
  readonly reason?: string;
  /** The reason in a sentence. */
  readonly message?: string;
}

/** What `send` gives at once. Both promises resolve, whatever happens; neither rejects. */
export interface Receipt {
  readonly id: string;
  readonly accepted: Promise<Acceptance>;
  /** What became of it. Resolves by the end of the run at the latest; `rejected` when it was never accepted. */
  readonly fate: Promise<Fate>;
}

/** How a run ended. */
export interface RunResult {
  readonly run_id: string;
  readonly reason: DoneReason;
  readonly final_content: string;
  readonly output?: JsonValue;
  readonly usage: Usage;
  readonly cost_usd: number | null;
  readonly iterations: number;
  readonly tool_calls: number;
  /** Valid history of the whole conversation, fit to be the next input. */
  readonly messages: readonly Message[];
  readonly unseen: DoneEvent['unseen'];
  readonly dropped_events: number;
  readonly error?: ErrorData;
}

/** Where a reader of events begins: at the first event, with the next one, or with a certain `seq`. */
export interface EventsOptions {
  readonly from?: 'start' | 'now' | number;
}

/** A run in flight, or one that is over. */
export interface Run {
  readonly id: string;
  /**
   * Resolves after `done` was kept by the journal; never rejects. A run that was stopped or timed out waits for a journal that does
   * not answer only for the grace period.
   */
  readonly result: Promise<RunResult>;
  /**
   * All events, to `done`. Any number of readers, each at its own pace; default from the start. A reader that is too
   * slow loses ephemeral events (and is told so by a `status`), never a durable one. Leaving the loop ends the reader.
   * Where the journal cannot give durable events back to a reader that is behind, iterating throws a `SteerloopError` of code
   * `journal_unavailable`, after everything before them; the run and other readers go on.
   */
  events(options?: EventsOptions): AsyncIterable<RunEvent>;
  /** The conversation so far as valid history, open calls shown as `not_run`; without the agent's system prompt. */
  messages(): Promise<readonly Message[]>;
  /**
   * Asks something of the run. Returns at once. A control that is not valid is not accepted and says why. This version takes
   * `inject` with delivery `next_step`, `modify_config` and `stop`; every other control is not accepted, reason `unsupported`.
   */
  send(control: Control, options?: { by?: string }): Receipt;
  /** Adds a user message; default delivery `next_step`, the only one that this version takes. */
  inject(message: UserContent, options?: { delivery?: 'next_step' | 'now' | 'after_run'; id?: string }): Receipt;
  /** Changes settings from the next model request on. */
  modifyConfig(config: RunConfig): Receipt;
  /** Ends the run: `now` (default) or after this step. */
  stop(options?: { mode?: 'now' | 'after_step'; reason?: string }): Receipt;
  /** Answers an approval. Not accepted by this version: `unsupported`. */
  decide(
    decision: 'allow' | 'deny',
    options?: { call_id?: string; arguments?: JsonObject; reason?: string; remember?: 'run' | 'session'; by?: string },
  ): Receipt;
  /** Answers a pause. Not accepted by this version: `unsupported`. */
  answer(content: UserContent, options?: { call_id?: string }): Receipt;
  /** Ends one tool call. Not accepted by this version: `unsupported`. */
  cancelCall(callId: string): Receipt;
}
