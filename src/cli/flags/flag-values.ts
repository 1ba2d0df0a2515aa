/**
 * Values of flags: each function makes a parser for one flag. A bad value is a `UsageError` that names the flag, what
 * was given and what was expected; so is a flag that is given twice, since one of the two would be ignored in silence.
 */
import { DURATION_FORM, parseDuration } from '../../node/manifest/duration.ts';
import { UsageError } from '../usage-error.ts';

/** Parses the text behind a flag; `previous` is the value of an earlier one. */
export type FlagParser<T> = (text: string, previous: T | undefined) => T;

/** Any text with something in it. */
export function textFlag(flag: string): FlagParser<string> {
  return parser(flag, 'a text that is not empty', (text) => (text.trim() === '' ? undefined : text));
}

/** Any text, also an empty one: whoever reads it further says what is wrong with it. */
export function rawFlag(flag: string): FlagParser<string> {
  return parser(flag, 'a text', (text) => text);
}

/** Any texts; the flag may be given again. */
export function listFlag(text: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, text];
}

/** A whole number of 1 or more. */
export function countFlag(flag: string): FlagParser<number> {
  return parser(flag, 'a whole number of 1 or more', (text) => numberIf(text, (value) => Number.isSafeInteger(value) && value >= 1));
}

/** An amount of dollars, more than 0. */
export function dollarsFlag(flag: string): FlagParser<number> {
  return parser(flag, 'an amount of US dollars above 0, such as 0.50', (text) => numberIf(text, (value) => value > 0));
}

/** A number from `least` to `most`. */
export function numberFlag(flag: string, least: number, most: number): FlagParser<number> {
  return parser(flag, `a number from ${least} to ${most}`, (text) => numberIf(text, (value) => value >= least && value <= most));
}

/** A number of 0 or more. */
export function factorFlag(flag: string): FlagParser<number> {
  return parser(flag, 'a number of 0 or more', (text) => numberIf(text, (value) => value >= 0));
}

/** A duration; the value is in milliseconds. `least` is the shortest one allowed. */
export function durationFlag(flag: string, least: 0 | 1 = 1): FlagParser<number> {
  const expected = least === 0 ? DURATION_FORM : `${DURATION_FORM}, longer than 0`;
  return parser(flag, expected, (text) => {
    const milliseconds = parseDuration(text);
    return milliseconds !== undefined && milliseconds >= least ? milliseconds : undefined;
  });
}

/** One of a few words, written with `-` where the value has `_`. */
export function choiceFlag<T extends string>(flag: string, choices: readonly T[]): FlagParser<T> {
  const words = choices.map((choice) => choice.replaceAll('_', '-'));
  return parser(flag, `one of ${words.join(', ')}`, (text) => choices[words.indexOf(text)]);
}

/** A URL of http or https. */
export function urlFlag(flag: string): FlagParser<string> {
  return parser(flag, 'a URL such as http://localhost:8080/v1', (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    return url?.protocol === 'http:' || url?.protocol === 'https:' ? text : undefined;
  });
}

function parser<T>(flag: string, expected: string, read: (text: string) => T | undefined): FlagParser<T> {
  return (text, previous) => {
    if (previous !== undefined) throw new UsageError(`${flag} is given twice; give it once`);
    const value = read(text);
    if (value === undefined) throw new UsageError(`${flag} is ${JSON.stringify(text)}; expected ${expected}`);
    return value;
  };
}

function numberIf(text: string, fits: (value: number) => boolean): number | undefined {
  // Number() also reads '', ' 1', '0x1f' and '1e3', which nobody means as a limit.
  const value = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  return fits(value) ? value : undefined;
}
