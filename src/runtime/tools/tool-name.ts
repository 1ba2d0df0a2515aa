/** Names of tools, by the narrowest rule among the providers: one that any of them refuses would break every request. */
import { ConfigError } from '../errors.ts';
import { shorten } from '../shorten.ts';

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const MOST_SHOWN = 80;

/** Says whether every provider takes a text as the name of a tool. */
export function isToolName(name: unknown): name is string {
  return typeof name === 'string' && TOOL_NAME.test(name);
}

/** Throws a ConfigError that names the tool unless every provider takes its name. */
export function assertToolName(name: unknown): asserts name is string {
  if (isToolName(name)) return;
  throw new ConfigError(
    'bad_tool_name',
    `Tool ${shownName(name)}: providers refuse this name. A name has 1 to 64 letters, digits, "_" or "-"; rename the tool.`,
  );
}

/** A name as it may stand in a sentence: quoted, without control characters, and not too long. */
export function shownName(name: unknown): string {
  const text = typeof name === 'string' ? name : `(${typeof name})`;
  return JSON.stringify(shorten(text, MOST_SHOWN));
}
