/** What one failed keyword means, in words: what was expected and what was there. */
import type { OutputUnit } from '@cfworker/json-schema';
import { formatPattern, type SchemaNode } from './schema-plan.ts';
import { listed, shownValue } from './show-value.ts';

type Describe = (limit: unknown, value: unknown) => string;

const got = (value: unknown): string => `got ${shownValue(value)}`;
const amount = (limit: unknown, one: string, many: string): string => `${String(limit)} ${limit === 1 ? one : many}`;
const items = (limit: unknown): string => amount(limit, 'item', 'items');
const characters = (limit: unknown): string => amount(limit, 'character', 'characters');
const properties = (limit: unknown): string => amount(limit, 'property', 'properties');

const DESCRIPTIONS: ReadonlyMap<string, Describe> = new Map<string, Describe>([
  ['type', (limit, value) => `expected ${Array.isArray(limit) ? limit.join(' or ') : String(limit)}, ${got(value)}`],
  ['const', (limit, value) => `expected ${listed([limit])}, ${got(value)}`],
  ['enum', (limit, value) => `expected one of ${Array.isArray(limit) ? listed(limit) : ''}, ${got(value)}`],
  ['required', (limit, value) => missing(limit, value)],
  ['dependentRequired', (limit, value) => missingBeside(limit, value)],
  ['format', (limit, value) => `expected a text that matches ${shownValue(formatPattern(String(limit)))}, ${got(value)}`],
  ['minimum', (limit, value) => `expected ${String(limit)} or more, ${got(value)}`],
  ['maximum', (limit, value) => `expected ${String(limit)} or less, ${got(value)}`],
  ['exclusiveMinimum', (limit, value) => `expected more than ${String(limit)}, ${got(value)}`],
  ['exclusiveMaximum', (limit, value) => `expected less than ${String(limit)}, ${got(value)}`],
  ['multipleOf', (limit, value) => `expected a multiple of ${String(limit)}, ${got(value)}`],
  ['minLength', (limit, value) => `expected ${characters(limit)} or more, ${got(value)}`],
  ['maxLength', (limit, value) => `expected at most ${characters(limit)}, got ${characters(characterCount(value))}`],
  ['minItems', (limit, value) => `expected ${items(limit)} or more, ${got(value)}`],
  ['maxItems', (limit, value) => `expected at most ${items(limit)}, ${got(value)}`],
  ['contains', () => 'no item fits the schema under "contains"'],
  ['minContains', (limit) => `expected ${items(limit)} or more that fit the schema under "contains"`],
  ['maxContains', (limit) => `expected at most ${items(limit)} that fit the schema under "contains"`],
  ['minProperties', (limit, value) => `expected ${properties(limit)} or more, got ${propertyCount(value)}`],
  ['maxProperties', (limit, value) => `expected at most ${properties(limit)}, got ${propertyCount(value)}`],
  ['not', (_, value) => `must not fit the schema under "not", ${got(value)}`],
]);

/** Words for a failed keyword of `node`, of which `value` is the data. */
export function describeKeyword(error: OutputUnit, node: SchemaNode, value: unknown): string {
  const describe = DESCRIPTIONS.get(error.keyword);
  if (describe !== undefined && Object.hasOwn(node, error.keyword)) return describe(node[error.keyword], value);
  return `does not fit "${error.keyword}"`;
}

function missing(required: unknown, value: unknown): string {
  const names = Array.isArray(required) && isObject(value) ? required.filter((name) => !(name in value)) : [];
  return `missing required ${names.length === 1 ? 'property' : 'properties'} ${listed(names)}`;
}

function missingBeside(dependent: unknown, value: unknown): string {
  if (!isObject(dependent) || !isObject(value)) return 'misses a property that goes with another';
  const gaps = Object.entries(dependent)
    .filter(([name]) => name in value)
    .map(([name, needed]): [string, unknown[]] => [name, Array.isArray(needed) ? needed.filter((other) => !(other in value)) : []])
    .filter(([, needed]) => needed.length > 0);
  return gaps.map(([name, needed]) => `${listed([name])} needs ${listed(needed)} beside it`).join(', ');
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function characterCount(value: unknown): number {
  let count = 0;
  if (typeof value === 'string') for (const _ of value) count += 1;
  return count;
}

function propertyCount(value: unknown): number {
  return isObject(value) ? Object.keys(value).length : 0;
}
