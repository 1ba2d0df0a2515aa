/** Bits of data as they may stand in a sentence: short, quoted, and cut where they are long. */
import { shorten } from '../../shorten.ts';

const MOST_TEXT = 60;
const MOST_POINTER = 120;
const MOST_LISTED = 10;

/** A value in a few words: numbers and short texts as they are, the size of what is larger. */
export function shownValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(shorten(value, MOST_TEXT));
  if (Array.isArray(value)) return value.length === 1 ? 'an array of 1 item' : `an array of ${value.length} items`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return String(value);
}

/** Values of a list, quoted as JSON and joined by commas; the rest is counted. */
export function listed(values: readonly unknown[]): string {
  const texts = values.slice(0, MOST_LISTED).map((value) => shorten(JSON.stringify(value) ?? String(value), MOST_TEXT));
  return values.length > MOST_LISTED ? `${texts.join(', ')} and ${values.length - MOST_LISTED} more` : texts.join(', ');
}

/** A JSON pointer in URI fragment form as it may stand in a sentence: decoded, on one line, and cut where it is long. */
export function shownPointer(location: string): string {
  return shorten(JSON.stringify(decodeURI(location.slice(1))).slice(1, -1), MOST_POINTER);
}

/** Tokens of a JSON pointer in URI fragment form, `#/a/b`, as the checking library writes it. */
export function pointerTokens(location: string): string[] {
  return location
    .split('/')
    .slice(1)
    .map((token) => decodeURI(token).replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value at such a pointer; undefined where there is none. */
export function valueAt(value: unknown, location: string): unknown {
  let at = value;
  for (const token of pointerTokens(location)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, token)) return undefined;
    at = Reflect.get(at, token);
  }
  return at;
}
