/** Reads a script from text. Whatever is wrong with it is one `ConfigError` that names file, step, field and what was expected. */
import * as v from 'valibot';
import { ConfigError, describeError } from '../../errors.ts';
import { shorten } from '../../shorten.ts';
import { type Script, scriptSchema } from './script-schema.ts';

const MOST_PROBLEMS = 5;
const MOST_CHARACTERS = 80;

/**
 * Parses and checks a script. `path` only names it in errors. Throws a `ConfigError` with code `invalid_script` that lists
 * up to five problems, one a line.
 */
export function parseScript(text: string, options: { path: string }): Script {
  const parsed = v.safeParse(scriptSchema, parseJson(text, options.path));
  if (parsed.success) return parsed.output;
  const lines = parsed.issues.slice(0, MOST_PROBLEMS).map(describeIssue);
  const more = parsed.issues.length - lines.length;
  if (more > 0) lines.push(`and ${more} more`);
  throw new ConfigError('invalid_script', `script ${options.path} is not valid:\n${lines.map((line) => `  ${line}`).join('\n')}`);
}

function parseJson(text: string, path: string): unknown {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
  try {
    return JSON.parse(source);
  } catch (error) {
    const reason = describeError(error);
    throw new ConfigError('invalid_script', `script ${path}${placeOf(reason, source)} is not JSON: ${reason}`, { cause: error });
  }
}

/** Line and column, where the engine's message says a position. */
function placeOf(reason: string, source: string): string {
  const position = /at position (\d+)/.exec(reason)?.[1];
  if (position === undefined) return '';
  const lines = source.slice(0, Number(position)).split('\n');
  return `, line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1},`;
}

function describeIssue(issue: v.BaseIssue<unknown>): string {
  const keys = (issue.path ?? []).map((item) => item.key);
  const inStep = keys[0] === 'steps' && typeof keys[1] === 'number';
  const field = joinKeys(inStep ? keys.slice(2) : keys);
  const place = [inStep && `step ${Number(keys[1]) + 1} (steps[${Number(keys[1])}])`, field].filter(Boolean).join(', ');
  return `${place || 'the script'}: ${describeProblem(issue)}`;
}

function joinKeys(keys: readonly unknown[]): string {
  const joined = keys.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return joined.startsWith('.') ? joined.slice(1) : joined;
}

function describeProblem(issue: v.BaseIssue<unknown>): string {
  // The validator's own sentences all begin so; ours say more than it can.
  if (!issue.message.startsWith('Invalid ')) return issue.message;
  return `expected ${issue.expected ?? 'something else'}, got ${shorten(issue.received, MOST_CHARACTERS)}`;
}
