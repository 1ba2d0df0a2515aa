/** How a line of the trace is laid out: a mark, a space, and inert text cut to a documented width. */

import { inertLine } from '../../node/inert-text.ts';
import { shortenToWidth } from '../terminal/display-width.ts';
import type { Paint } from '../terminal/style.ts';

/** Columns of a line that quotes a model, a tool or a person. The same on every terminal and in every pipe. */
export const LINE_COLUMNS = 120;

/** Columns of a line that says what went wrong: more, since people need all of it, but not a whole error page. */
const PROBLEM_COLUMNS = 600;

const INDENT = '  ';

/** `  ▸ text`: one line that quotes, with its line end. */
export function quoteLine(mark: string, paint: Paint, text: string): string {
  return markedLine(mark, paint, text, LINE_COLUMNS);
}

/** `  ! text`: one line that tells of a problem, with its line end. */
export function problemLine(mark: string, paint: Paint, text: string): string {
  return markedLine(mark, paint, text, PROBLEM_COLUMNS);
}

/** Parts with ` · ` between them; parts that are empty or missing are left out. */
export function joinParts(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' · ');
}

/** A duration for people, rounded, so that no flag takes it back: `350ms`, `1.2s`, `2m 05s`. */
export function formatRoundedDuration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${milliseconds}ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1_000).toFixed(1)}s`;
  const seconds = Math.round(milliseconds / 1_000);
  return `${Math.floor(seconds / 60)}m ${String(seconds % 60).padStart(2, '0')}s`;
}

/** Dollars for people, with enough digits to see them: `$12.40`, `$0.0031`, `$0.000012`. */
export function formatCost(dollars: number): string {
  if (dollars >= 1) return `$${dollars.toFixed(2)}`;
  if (dollars >= 0.001 || dollars === 0) return `$${dollars.toFixed(4)}`;
  return `$${dollars.toFixed(Math.min(12, 1 - Math.floor(Math.log10(dollars))))}`;
}

function markedLine(mark: string, paint: Paint, text: string, columns: number): string {
  return `${INDENT}${paint(mark)} ${shortenToWidth(inertLine(text), columns - INDENT.length - 2)}\n`;
}
