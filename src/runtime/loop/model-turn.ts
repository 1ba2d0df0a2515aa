/**
 * One model turn: attempts until there is a reply, an end or a cut (L4, L5, L9). Each attempt takes the controls that wait,
 * reserves what it may spend, lets the journal be kept, and only then leaves. A failed attempt's text is void.
 */
import type { Ending } from '../ending.ts';
import { type ModelError, SteerloopError, toErrorData } from '../errors.ts';
import type { ModelReply } from '../ports.ts';
import { DEFAULTS } from '../schema/config.ts';
import type { ErrorData } from '../schema/error-data.ts';
import type { DurableEventOf, Unstamped } from '../schema/event.ts';
import type { Message, ToolUseBlock } from '../schema/message.ts';
import { type ModelName, nameOf, type StopReason } from '../schema/model-request.ts';
import type { Usage } from '../schema/usage.ts';
import { type AttemptOutcome, callModel } from './attempt.ts';
import type { LoopContext } from './context.ts';
import { applySettings, includeMessages, stopsAfterStep, takeBackSettings } from './controls.ts';
import { normalizeReply, warnOfDroppedThinking } from './normalize-reply.ts';
import type { BuiltRequest } from './request-builder.ts';
import { finalError, retryWait } from './retry-policy.ts';
import { waitUntil } from './wait-until.ts';

/** A reply that the loop goes on from. */
export interface Turn {
  readonly calls: readonly ToolUseBlock[];
  readonly cutCallIds: readonly string[];
  readonly stopReason: StopReason;
}

/** What a turn comes to: a reply, or the end of the run. */
export type TurnOutcome = { readonly turn: Turn } | { readonly ending: Ending };

/** A request that left, and how its attempt ended. */
interface Sent {
  readonly built: BuiltRequest;
  readonly model: ModelName;
  readonly attempt: number;
  readonly latencyMs: number;
  readonly outcome: AttemptOutcome;
}

/** Asks the model, as often as it takes and is allowed. */
export async function modelTurn(run: LoopContext): Promise<TurnOutcome> {
  let askedAgain = false;
  for (let attempt = 1; ; attempt++) {
    if (run.log.state.open_controls.length > 0) {
      await applySettings(run);
      includeMessages(run);
    }
    const sent = await send(run, attempt);
    if ('ending' in sent) return sent;
    const { outcome } = sent;
    if (outcome.kind === 'cut') return recordCut(run, sent, outcome);
    if (outcome.kind === 'reply') {
      const taken = takeReply(run, sent, outcome.reply, askedAgain);
      if (taken !== 'ask again') return taken;
      askedAgain = true;
      continue;
    }
    const ending = await recover(run, sent, outcome.error, outcome.usage);
    if (ending !== undefined) return { ending };
  }
}

async function send(run: LoopContext, attempt: number): Promise<Sent | { readonly ending: Ending }> {
  const { log } = run;
  const model = nameOf(run.model.current);
  const built = tryBuild(run);
  if ('ending' in built) return built;
  const reservation = run.ledger.reserve(log.state, built, model, log.clock.now());
  if (reservation === 'unpriced') return { ending: { reason: 'error', error: unpriced(model) } };
  if ('limit' in reservation) {
    log.write(reservation);
    return { ending: { reason: 'budget' } };
  }
  await run.interruption.orCut(log.commit());
  if (run.interruption.cut !== undefined) {
    run.ledger.release(reservation);
    return { ending: run.interruption.cut.ending };
  }
  const started = log.clock.now();
  const outcome = await callModel(run, built.request, attempt);
  run.ledger.release(reservation);
  return { built, model, attempt, outcome, latencyMs: log.clock.now() - started };
}

function unpriced({ provider, model }: ModelName): ErrorData {
  return { code: 'price_unknown', message: `max_cost_usd is set, but the price of a call of ${provider}:${model} is not known.` };
}

function tryBuild(run: LoopContext): BuiltRequest | { readonly ending: Ending } {
  try {
    return run.requests.build(run.log.state, run.model.current);
  } catch (error) {
    if (!(error instanceof SteerloopError)) throw error;
    return { ending: { reason: 'error', error: toErrorData(error) } };
  }
}

/** Writes the reply and says what follows: a turn to go on from, an end, or to ask once more for a reply that was empty. */
function takeReply(run: LoopContext, sent: Sent, reply: ModelReply, askedAgain: boolean): TurnOutcome | 'ask again' {
  const { message, cutCallIds, droppedThinking } = normalizeReply(run, reply);
  const ends = message === null ? endOfEmptyReply(reply.stop_reason) : undefined;
  if (message === null && ends === undefined && !askedAgain) {
    writeRetry(run, sent, { error_class: 'empty', message: 'The reply was empty.', wait_ms: 0, usage: reply.usage });
    return 'ask again';
  }
  run.model.confirm();
  if (droppedThinking) warnOfDroppedThinking(run.log);
  const facts: TurnFacts = { message, stop_reason: reply.stop_reason, usage: reply.usage };
  if (reply.raw_stop_reason !== undefined) facts.raw_stop_reason = reply.raw_stop_reason;
  if (cutCallIds.length > 0) facts.cut_call_ids = [...cutCallIds];
  writeTurn(run, sent, facts);
  if (message === null) return { ending: ends ?? { reason: 'empty' } };
  // From the state, not from the reply: what runs is what stands in the journal, keys taken out.
  return { turn: { calls: run.log.state.turn?.calls ?? [], cutCallIds, stopReason: reply.stop_reason } };
}

/** A reply with nothing in it may still have said why. */
function endOfEmptyReply(stopReason: StopReason): Ending | undefined {
  if (stopReason === 'refusal') return { reason: 'refused' };
  if (stopReason === 'max_tokens' || stopReason === 'context_overflow') return { reason: 'truncated' };
  return undefined;
}

/** Keeps what had streamed when the run was cut, marked as interrupted. */
function recordCut(run: LoopContext, sent: Sent, outcome: Extract<AttemptOutcome, { kind: 'cut' }>): TurnOutcome {
  const content: Message['content'] = [{ type: 'text', text: outcome.text }];
  const kept: Message = { id: run.ids.next('message'), role: 'assistant', content, time: run.log.clock.now(), interrupted: true };
  writeTurn(run, sent, {
    message: outcome.text.trim() === '' ? null : kept,
    stop_reason: 'interrupted',
    usage: outcome.usage,
    interrupted: true,
  });
  return { ending: outcome.cut.ending };
}

/** After a failed attempt: takes refused settings back, or waits and lets the next attempt come, or ends the run. */
async function recover(run: LoopContext, sent: Sent, error: ModelError, usage: Usage): Promise<Ending | undefined> {
  const facts = {
    error_class: error.errorClass,
    message: error.message,
    ...(error.status !== undefined && { status: error.status }),
    usage,
  };
  if (!error.retryable && takeBackSettings(run, error.message)) {
    writeRetry(run, sent, { ...facts, wait_ms: 0 });
    return undefined;
  }
  const most = run.log.state.config.max_attempts ?? DEFAULTS.maxAttempts;
  const waitMs = retryWait(error, sent.attempt, most, run.random);
  if (waitMs === undefined) {
    const data = finalError(error);
    writeTurn(run, sent, { message: null, stop_reason: 'other', usage, error: data });
    return { reason: 'error', error: data };
  }
  writeRetry(run, sent, { ...facts, wait_ms: waitMs });
  await waitUntil(run, () => stopsAfterStep(run), { ms: waitMs, kind: 'retry_wait' });
  if (run.interruption.cut !== undefined) return run.interruption.cut.ending;
  return stopsAfterStep(run) ? { reason: 'stopped' } : undefined;
}

type TurnFacts = Omit<Unstamped<DurableEventOf<'llm_turn'>>, 'type' | 'model' | 'request' | 'cost_usd' | 'latency_ms' | 'attempts'>;

function writeTurn(run: LoopContext, sent: Sent, facts: TurnFacts): void {
  const cost = run.ledger.cost(sent.model, facts.usage, run.log.clock.now());
  const turn = { type: 'llm_turn' as const, model: sent.model, request: sent.built.delta };
  run.log.write(Object.assign(turn, facts, { cost_usd: cost, latency_ms: sent.latencyMs, attempts: sent.attempt }));
}

type RetryFacts = Omit<Unstamped<DurableEventOf<'retry'>>, 'type' | 'attempt' | 'cost_usd'>;

function writeRetry(run: LoopContext, sent: Sent, facts: RetryFacts): void {
  const cost = run.ledger.cost(sent.model, facts.usage, run.log.clock.now());
  run.log.write({ type: 'retry', attempt: sent.attempt, ...facts, cost_usd: cost });
}
