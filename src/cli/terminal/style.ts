/** Colours: the few that the trace uses, and whether a stream gets any. */

import type { Environment } from '../../runtime/models/credentials.ts';

/** Gives text a colour or a weight, or returns it as it is. */
export type Paint = (text: string) => string;

/** The styles of the trace. */
export interface Style {
  readonly dim: Paint;
  readonly bold: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly cyan: Paint;
}

/** Where text goes, as far as colours ask. */
export interface ColourContext {
  readonly isTerminal: boolean;
  /** False for `--no-color`. */
  readonly allowed: boolean;
  readonly env: Environment;
}

/** Whether to colour: never against `--no-color` or a set NO_COLOR, always with FORCE_COLOR (but `0`), else on a terminal that can. */
export function wantsColour({ isTerminal, allowed, env }: ColourContext): boolean {
  if (!allowed || env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0';
  return isTerminal && env.TERM !== 'dumb';
}

/** Styles that colour, or styles that change nothing. */
export function createStyle(coloured: boolean): Style {
  const paint = (open: number, close: number): Paint => (coloured ? (text) => `\u001b[${open}m${text}\u001b[${close}m` : (text) => text);
  return {
    dim: paint(2, 22),
    bold: paint(1, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
  };
}
