/** Readers of single values of a manifest: each gives the value, or notes what is wrong and gives undefined. */
import type { JsonValue } from '../../runtime/schema/json.ts';
import { DURATION_FORM, parseDuration } from './duration.ts';
import type { ManifestProblems } from './manifest-problems.ts';
import { nearestWord } from './nearest-word.ts';
import { corrected } from './template.ts';
import type { YamlEntry, YamlMap, YamlNode, YamlScalar } from './yaml-tree.ts';

/** Reads one value; undefined when a problem was noted. */
export type Read<T> = (node: YamlNode, problems: ManifestProblems) => T | undefined;

/** A text, as it stands. A number or truth value is no text: what was written may not be what was meant. */
export const readText: Read<string> = (node, problems) => {
  if (node.kind === 'scalar' && typeof node.value === 'string') return node.value;
  problems.add(node, looksLikePlaceholder(node) ? quoteIt(node) : `${shown(node)} is no text; quote it`);
  return undefined;
};

/** A text where a number or truth value is taken as it was written: an argument `5` is the text `5`. */
export const readWord: Read<string> = (node, problems) => {
  if (node.kind === 'scalar' && typeof node.value === 'string') return node.value;
  if (node.kind === 'scalar' && node.value !== null) return node.source;
  if (looksLikePlaceholder(node)) problems.add(node, quoteIt(node));
  else if (node.source === '') problems.add(node, 'nothing stands here; write "" for an empty text');
  else if (node.kind === 'scalar') problems.add(node, `${node.source} means nothing to YAML and is no text; quote it: "${node.source}"`);
  else problems.add(node, `a ${node.kind} stands where a text belongs; quote it: ${JSON.stringify(node.source)}`);
  return undefined;
};

/** `true` or `false`. */
export const readBoolean: Read<boolean> = (node, problems) => {
  if (node.kind === 'scalar' && typeof node.value === 'boolean') return node.value;
  problems.add(node, `expected true or false, not ${shown(node)}`);
  return undefined;
};

/** Milliseconds of a duration above 0. */
export const readDuration: Read<number> = (node, problems) => {
  const milliseconds = node.kind === 'scalar' && typeof node.value === 'string' ? parseDuration(node.value) : undefined;
  if (milliseconds !== undefined && milliseconds > 0) return milliseconds;
  const hint = node.kind === 'scalar' && typeof node.value === 'bigint' ? `; write a unit: ${node.value}s` : '';
  problems.add(node, `expected ${DURATION_FORM}, longer than nothing, not ${shown(node)}${hint}`);
  return undefined;
};

/** A whole number within limits. */
export function readWhole(least: number, most: number): Read<number> {
  return (node, problems) => {
    const value = node.kind === 'scalar' && typeof node.value === 'bigint' && hasNoLeadingZero(node) ? Number(node.value) : Number.NaN;
    if (value >= least && value <= most) return value;
    problems.add(node, `expected a whole number from ${least} to ${most}, not ${shown(node)}`);
    return undefined;
  };
}

/** One of a few words. */
export function readChoice<T extends string>(choices: readonly T[]): Read<T> {
  return (node, problems) => {
    const found = choices.find((choice) => node.kind === 'scalar' && node.value === choice);
    if (found === undefined) problems.add(node, `expected ${choices.join(', ')}, not ${shown(node)}`);
    return found;
  };
}

/** A list, each item read the same way; undefined when one of them is wrong or none is there. `form` shows how to write one. */
export function readList<T>(readItem: Read<T>, form: string): Read<readonly T[]> {
  return (node, problems) => {
    if (node.kind !== 'list' || node.items.length === 0) {
      problems.add(node, `expected a list such as ${form}, not ${shown(node)}`);
      return undefined;
    }
    const items = node.items.map((item) => readItem(item, problems));
    return items.every((item) => item !== undefined) ? items : undefined;
  };
}

/** Anything that JSON can say. */
export const readJson: Read<JsonValue> = (node, problems) => {
  if (node.kind === 'list') return node.items.map((item) => readJson(item, problems) ?? null);
  if (node.kind === 'map')
    return Object.fromEntries(node.entries.map((entry) => [readJsonKey(entry, problems), readJson(entry.node, problems) ?? null]));
  const { value } = node;
  if (typeof value !== 'number' && typeof value !== 'bigint') return value;
  if (Number.isSafeInteger(Number(value)) ? hasNoLeadingZero(node) : typeof value === 'number' && Number.isFinite(value))
    return Number(value);
  problems.add(node, `the number ${node.source} would not mean what it says; write a plain decimal number, or quote it to make it a text`);
  return undefined;
};

/** The values of a map whose keys are known. Any other key is a problem, and the nearest known one is suggested. */
export function readFields(map: YamlMap, known: readonly string[], problems: ManifestProblems): ReadonlyMap<string, YamlNode> {
  for (const { key, at } of map.entries) {
    if (known.includes(key)) continue;
    const nearest = nearestWord(key, known);
    const advice = nearest === undefined ? `the keys are ${known.join(', ')}` : `did you mean ${nearest}?`;
    problems.add({ start: at.start, path: map.path }, `unknown key ${JSON.stringify(key.slice(0, 60))}; ${advice}`);
  }
  return new Map(map.entries.map(({ key, node }) => [key, node]));
}

/** How a value is named in a message. */
export function shown(node: YamlNode): string {
  if (node.kind !== 'scalar') return node.kind === 'list' && node.items.length === 0 ? 'an empty list' : `a ${node.kind}`;
  return node.value === null && node.source === '' ? 'nothing' : node.source.split('\n', 1).join('').slice(0, 60);
}

function readJsonKey({ key, simpleKey, at }: YamlEntry, problems: ManifestProblems): string {
  if (!simpleKey) problems.add(at, `${key.slice(0, 60)} cannot be a key; quote it`);
  return key;
}

/** A map in place of a text is what YAML makes of `{{.name}}`, and of `{name}`, without quotes. */
function looksLikePlaceholder(node: YamlNode): boolean {
  return node.kind === 'map' && /^\{[\s{]*\.?[A-Za-z0-9_-]*[\s}]*\}$/.test(node.source);
}

function quoteIt(node: YamlNode): string {
  return `${node.source} without quotes is a map to YAML and no text; quote it: ${JSON.stringify(corrected(node.source))}`;
}

/** `010` is 10 to YAML 1.2 and 8 to others: nobody can be sure what it says. */
function hasNoLeadingZero(node: YamlScalar): boolean {
  return !/^[-+]?0\d/.test(node.source);
}
