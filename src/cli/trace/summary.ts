/** The last lines of a trace: what went wrong, how the run ended, and where it is recorded. */

import { inertText } from '../../node/inert-text.ts';
import type { DoneEvent, DoneReason } from '../../runtime/schema/event.ts';
import { totalTokens } from '../../runtime/schema/usage.ts';
import type { Paint, Style } from '../terminal/style.ts';
import { formatCost, joinParts, problemLine } from './layout.ts';

/** What the summary needs to know beside `done`. */
export interface SummaryContext {
  readonly style: Style;
  /** Whether the run has a source of prices; without one no price is shown, with one an unknown price is named. */
  readonly priced: boolean;
}

/** `● finished · 2 iteration(s) · 1482 tokens · $0.0031`, with a blank line before it, and the error above it where there is one. */
export function summaryLines(done: DoneEvent, { style, priced }: SummaryContext): string {
  const error = done.error === undefined ? '' : problemLine('✗', style.red, joinParts(`error ${done.error.code}`, done.error.message));
  const unseen = done.unseen.length === 0 ? '' : `${done.unseen.length} message(s) not seen`;
  const facts = joinParts(`${done.iterations} iteration(s)`, tokens(done), cost(done, priced), unseen);
  return `${error}\n${paintFor(done.reason, style)(`● ${done.reason}`)} · ${facts}\n`;
}

/** `recorded to PATH`, with a blank line before it. */
export function recordedLine(path: string, style: Style): string {
  return `\n${style.dim(`recorded to ${inertText(path)}`)}\n`;
}

function tokens({ usage }: DoneEvent): string {
  // A cut call does not tell all of its usage: what is known is a lower bound.
  return `${totalTokens(usage)}${usage.complete ? '' : '+'} tokens`;
}

function cost({ cost_usd: dollars }: DoneEvent, priced: boolean): string {
  // Without prices the sum of nothing is 0, which is no price.
  if (dollars === null || (dollars === 0 && !priced)) return priced ? 'cost unknown' : '';
  return formatCost(dollars);
}

function paintFor(reason: DoneReason, style: Style): Paint {
  if (reason === 'finished') return style.green;
  return reason === 'error' || reason === 'crashed' ? style.red : style.yellow;
}
