/**
 * The ledger (L5): limits are checked before anything is spent. A model call reserves the input it is estimated to take and
 * the output it may take, and starts only if that fits beside what is spent and what others have reserved.
 */

import { costOf } from '../call-cost.ts';
import type { EstimateCost } from '../ports.ts';
import { DEFAULTS } from '../schema/config.ts';
import type { DurableEventOf, Limit, Unstamped } from '../schema/event.ts';
import type { Message } from '../schema/message.ts';
import type { ModelName } from '../schema/model-request.ts';
import { NO_USAGE, totalTokens, type Usage } from '../schema/usage.ts';
import type { RunState } from '../state/run-state.ts';
import type { BuiltRequest } from './request-builder.ts';

/** What a call may come to: an upper bound of its tokens, and of its cost where prices are known. */
export interface Reservation {
  readonly tokens: number;
  readonly cost_usd: number;
}

/** A limit that the next step would pass: the event that says so. */
export type LimitReached = Unstamped<DurableEventOf<'limit_reached'>>;

/** Characters that make a token, taken low so that the estimate is rather too high. */
const CHARACTERS_PER_TOKEN = 3;
/** What a picture is taken to cost; providers bound it by resizing. */
const TOKENS_PER_IMAGE = 1_600;

const NOTHING_RESERVED: Reservation = { tokens: 0, cost_usd: 0 };

/** Estimated tokens of messages. */
function estimateTokens(messages: readonly Message[]): number {
  let characters = 0;
  let images = 0;
  for (const message of messages) {
    for (const block of message.content) {
      if (block.type === 'image') images += 1;
      else if (block.type === 'tool_result') {
        for (const part of block.content) {
          if (part.type === 'image') images += 1;
          else characters += part.text.length;
        }
      } else if (block.type === 'tool_use') characters += JSON.stringify(block.arguments).length + block.name.length;
      else characters += block.type === 'redacted_thinking' ? block.data.length : block.text.length;
    }
  }
  return Math.ceil(characters / CHARACTERS_PER_TOKEN) + images * TOKENS_PER_IMAGE;
}

/** A sum for people: money is not shown to the last bit of its floating point. */
function amount(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));
}

/** Keeps what a tree of runs has reserved; what is spent stands in the state. */
export class Ledger {
  readonly #estimateCost: EstimateCost | undefined;
  #reservedTokens = 0;
  #reservedCost = 0;

  constructor(estimateCost: EstimateCost | undefined) {
    this.#estimateCost = estimateCost;
  }

  /** Cost of a call, or null when it is not known. */
  cost(model: ModelName, usage: Usage, time: number): number | null {
    return costOf(this.#estimateCost, model, usage, time);
  }

  /** Whether `limit` has room for `needed` more. */
  check(limit: Limit, limitValue: number | undefined, spent: number, needed: number): LimitReached | undefined {
    if (limitValue === undefined || spent + needed <= limitValue) return undefined;
    return {
      type: 'limit_reached',
      limit,
      limit_value: limitValue,
      spent,
      reserved: needed,
      message: `${limit} is ${limitValue}; ${amount(spent)} spent, and the next step may take ${amount(needed)} more.`,
    };
  }

  /**
   * Reserves a model call, or says which limit it would pass; `unpriced` where cost is limited and not known. Costs nothing where
   * neither tokens nor cost are limited.
   */
  reserve(state: RunState, built: BuiltRequest, model: ModelName, time: number): Reservation | LimitReached | 'unpriced' {
    const { max_total_tokens, max_cost_usd } = state.config;
    if (max_total_tokens === undefined && max_cost_usd === undefined) return NOTHING_RESERVED;
    const usage = estimateUsage(state, built);
    const cost = max_cost_usd === undefined ? 0 : this.cost(model, usage, time);
    if (cost === null || (max_cost_usd !== undefined && state.spent.cost_usd === null)) return 'unpriced';
    const tokens = totalTokens(usage);
    const reached =
      this.check('max_total_tokens', max_total_tokens, totalTokens(state.spent.usage) + this.#reservedTokens, tokens) ??
      this.check('max_cost_usd', max_cost_usd, (state.spent.cost_usd ?? 0) + this.#reservedCost, cost);
    if (reached !== undefined) return reached;
    this.#reservedTokens += tokens;
    this.#reservedCost += cost;
    return { tokens, cost_usd: cost };
  }

  /** Gives a reservation back; what the call really took is in the state by then. */
  release(reservation: Reservation): void {
    this.#reservedTokens -= reservation.tokens;
    this.#reservedCost -= reservation.cost_usd;
  }
}

function estimateUsage(state: RunState, { request, added }: BuiltRequest): Usage {
  const first = state.last_request === undefined;
  const fixed = first ? (request.system?.length ?? 0) + JSON.stringify(request.tools).length : 0;
  return {
    ...NO_USAGE,
    input_tokens: state.context_tokens + Math.ceil(fixed / CHARACTERS_PER_TOKEN) + estimateTokens(added),
    output_tokens: request.params.max_output_tokens ?? DEFAULTS.maxOutputTokens,
  };
}
