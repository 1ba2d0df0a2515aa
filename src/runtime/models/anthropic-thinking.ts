/**
 * Thinking levels in Anthropic's words. Models up to Claude 4.5 take a budget of tokens, later ones decide by themselves
 * and take an effort. Source: Anthropic's documentation of thinking, and the types of its SDK.
 */
import type { RequestParams } from '../schema/model-request.ts';

/** How a model is told how much to think: by a budget of tokens, or by an effort (adaptive). */
export type ThinkingStyle = 'budget' | 'adaptive';

/** The fields of a request that concern thinking. */
export interface ThinkingFields {
  readonly thinking?:
    | { readonly type: 'enabled'; readonly budget_tokens: number }
    | { readonly type: 'adaptive' }
    | { readonly type: 'disabled' };
  readonly output_config?: { readonly effort: 'low' | 'medium' | 'high' };
}

/** What decides about thinking beside the level. */
export interface ThinkingSituation {
  readonly style: ThinkingStyle;
  readonly maxTokens: number;
  /** Whether the turn that goes on holds a call that came without thinking before it. */
  readonly unthoughtCall: boolean;
}

/** Share of the output limit, and most tokens, that thinking may take. */
const BUDGETS = { low: { share: 0.25, most: 4_096 }, medium: { share: 0.5, most: 16_384 }, high: { share: 0.75, most: 32_768 } } as const;
const LEAST_BUDGET = 1_024;

/** The style of a model, by its name. A name that is not known is taken for a later model. */
export function thinkingStyleOf(model: string): ThinkingStyle {
  return /^claude-([123](-|\.)|(opus|sonnet|haiku)-4(-[0-5])?(-\d{8}|-latest)?$)/.test(model) ? 'budget' : 'adaptive';
}

/**
 * The fields for a level. No level: none, the model's own default holds. `off`: `disabled` where thinking may be on by
 * default, none for models that must be told to think. A level is not sent where the provider would refuse it: when a tool is
 * forced, when the turn that goes on began without thinking, and when the output limit leaves no room for the least budget.
 */
export function thinkingFields(params: Pick<RequestParams, 'thinking' | 'tool_choice'>, situation: ThinkingSituation): ThinkingFields {
  const level = params.thinking;
  if (level === undefined) return {};
  if (level === 'off') return situation.style === 'adaptive' ? { thinking: { type: 'disabled' } } : {};
  const forced = params.tool_choice === 'required' || typeof params.tool_choice === 'object';
  const allowed = !forced && !situation.unthoughtCall;
  if (situation.style === 'adaptive') return { ...(allowed && { thinking: { type: 'adaptive' } }), output_config: { effort: level } };
  const { share, most } = BUDGETS[level];
  const budget = Math.max(LEAST_BUDGET, Math.min(most, Math.floor(situation.maxTokens * share)));
  return allowed && budget < situation.maxTokens ? { thinking: { type: 'enabled', budget_tokens: budget } } : {};
}
