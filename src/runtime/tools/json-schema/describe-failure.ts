/**
 * Turns the checking library's list of errors into one sentence for a model: where, what was expected, what was
 * there. The list is in preorder, an error that only says that something below it failed standing before what
 * failed; those are dropped, and alternatives that all failed are told together.
 */
import type { OutputUnit } from '@cfworker/json-schema';
import { describeKeyword } from './describe-keyword.ts';
import { REFERENCE_KEY, type SchemaNode, type SchemaPlan } from './schema-plan.ts';
import { listed, pointerTokens, shownPointer, valueAt } from './show-value.ts';

const MOST_SENTENCES = 5;
const MOST_ALTERNATIVES = 4;

/** Errors that only point at those behind them. */
const TRANSPARENT: ReadonlySet<string> = new Set([
  '$ref',
  'allOf',
  'if',
  'properties',
  'dependentSchemas',
  'items',
  'prefixItems',
  'additionalItems',
]);
/** Keywords that make one error for each thing they miss. */
const MERGED: ReadonlySet<string> = new Set(['required', 'dependentRequired']);
const LEFT_OVER: ReadonlySet<string> = new Set(['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems']);

/** The sentence. `value` is the data as the library saw it. At most five things are told. */
export function describeFailure(errors: readonly OutputUnit[], plan: SchemaPlan, value: unknown): string {
  const told: string[] = [];
  const reader = new FailureReader(plan, (location) => valueAt(value, location), true);
  for (const failure of reader.read(withoutContained(errors))) {
    const sentence = inContext(failure, '');
    if (told.includes(sentence)) continue;
    if (told.length === MOST_SENTENCES) return `${told.join('; ')}; and more`;
    told.push(sentence);
  }
  return told.length === 0 ? 'does not fit the schema' : told.join('; ');
}

interface Failure {
  /** JSON pointer into the data; '' is the whole of it. */
  readonly at: string;
  readonly text: string;
}

function inContext({ at, text }: Failure, context: string): string {
  return at === context ? text : `${at}: ${text}`;
}

class FailureReader {
  readonly #plan: SchemaPlan;
  readonly #valueAt: (location: string) => unknown;
  /** Whether alternatives are told one by one; not within alternatives. */
  readonly #inFull: boolean;
  readonly #told: string[] = [];

  constructor(plan: SchemaPlan, valueAt: (location: string) => unknown, inFull: boolean) {
    this.#plan = plan;
    this.#valueAt = valueAt;
    this.#inFull = inFull;
  }

  *read(errors: readonly OutputUnit[]): Generator<Failure> {
    let before: OutputUnit | undefined;
    for (let index = 0; index < errors.length; ) {
      const error = errors[index];
      if (error === undefined) return;
      const next = errors[index + 1];
      if (LEFT_OVER.has(error.keyword) && next !== undefined && this.#isTold(next.instanceLocation)) {
        index = endOfLeftOver(errors, index + 1, next.instanceLocation, error.keywordLocation);
        continue;
      }
      const isGroup = !TRANSPARENT.has(error.keyword) && !LEFT_OVER.has(error.keyword) && error.keyword !== 'false';
      const end = isGroup ? endOfGroup(errors, index + 1, error) : index + 1;
      if (isGroup || error.keyword === 'false') yield this.#tell(error, errors.slice(index + 1, end), before);
      before = error;
      index = end;
    }
  }

  #tell(error: OutputUnit, children: readonly OutputUnit[], before: OutputUnit | undefined): Failure {
    this.#told.push(error.instanceLocation);
    const at = shownPointer(error.instanceLocation);
    if (error.keyword === 'false') return this.#forbidden(error, before);
    const node = this.#nodeAt(error.keywordLocation);
    if (error.keyword === 'anyOf' || error.keyword === 'oneOf') return { at, text: this.#alternatives(error, node, children, at) };
    if (error.keyword === 'propertyNames') return { at, text: this.#badName(children) };
    if (error.keyword === 'not' && node['not'] === this.#plan.repeating)
      return { at, text: 'expected items that all differ, but some are equal' };
    return { at, text: describeKeyword(error, node, this.#valueAt(error.instanceLocation)) };
  }

  #forbidden(error: OutputUnit, before: OutputUnit | undefined): Failure {
    if (before === undefined || !LEFT_OVER.has(before.keyword) || before.keyword === 'unevaluatedItems') {
      return { at: shownPointer(error.instanceLocation), text: 'must not be there' };
    }
    const name = pointerTokens(error.instanceLocation).at(-1) ?? '';
    const known = this.#nodeAt(before.keywordLocation)['properties'];
    const names = typeof known === 'object' && known !== null ? Object.keys(known) : [];
    const hint = names.length === 0 ? '' : `, known are ${listed(names)}`;
    return { at: shownPointer(before.instanceLocation), text: `unknown property ${listed([name])}${hint}` };
  }

  #alternatives(error: OutputUnit, node: SchemaNode, children: readonly OutputUnit[], at: string): string {
    const schemas = node[error.keyword];
    const count = Array.isArray(schemas) ? schemas.length : 0;
    const matches = /\((\d+) matches\)/u.exec(error.error)?.[1] ?? '0';
    if (matches !== '0') return `fits ${matches} of ${count} alternatives, must fit exactly one`;
    if (!this.#inFull) return `fits none of ${count} alternatives`;
    const branches = byBranch(children, `${error.keywordLocation}/`).slice(0, MOST_ALTERNATIVES);
    const texts = branches.map((below, branch) => {
      const [first] = new FailureReader(this.#plan, this.#valueAt, false).read(below);
      return `(${branch + 1}) ${first === undefined ? 'does not fit' : inContext(first, at)}`;
    });
    return `fits none of ${count} alternatives: ${texts.join(', ')}${count > MOST_ALTERNATIVES ? ', ...' : ''}`;
  }

  #badName(children: readonly OutputUnit[]): string {
    const [child] = children;
    const name = pointerTokens(child?.instanceLocation ?? '#').at(-1) ?? '';
    // Here the name is what was checked, and not the value that the location points at.
    const [first] = new FailureReader(this.#plan, () => name, false).read(children);
    const why = first === undefined || child?.keyword === 'false' ? '' : ` (${first.text})`;
    return `property name ${listed([name])} is not allowed${why}`;
  }

  /** Whether something was told of this place or of one below it. */
  #isTold(instanceLocation: string): boolean {
    return this.#told.some((location) => isUnder(location, instanceLocation));
  }

  /** The schema node that a keyword's location lies in. */
  #nodeAt(keywordLocation: string): SchemaNode {
    let node: unknown = this.#plan.root;
    for (const token of pointerTokens(keywordLocation).slice(0, -1)) {
      const below: unknown = isNode(node) ? node[token] : undefined;
      node = token === '$ref' && isNode(node) && REFERENCE_KEY in node ? this.#plan.targets[String(node[REFERENCE_KEY])] : below;
    }
    return isNode(node) ? node : {};
  }
}

/** Without what is wrong with the items that need not fit: of `contains` only the count is told, and it stands behind them. */
function withoutContained(errors: readonly OutputUnit[]): readonly OutputUnit[] {
  const counts = errors.filter(({ keyword }) => keyword === 'minContains');
  const prefixes = counts.map(({ keywordLocation }) => keywordLocation.replace(/minContains$/u, 'contains/'));
  return prefixes.length === 0 ? errors : errors.filter((error) => !prefixes.some((prefix) => error.keywordLocation.startsWith(prefix)));
}

function endOfGroup(errors: readonly OutputUnit[], start: number, group: OutputUnit): number {
  let end = start;
  for (let child = errors[end]; child !== undefined && belongsTo(child, group); child = errors[end]) end += 1;
  return end;
}

function belongsTo(error: OutputUnit, group: OutputUnit): boolean {
  if (error.keywordLocation.startsWith(`${group.keywordLocation}/`)) return true;
  // A false schema gives no keyword location. Of what is required, each name is an error of its own.
  if (error.keyword === 'false') return group.keyword === 'anyOf' || group.keyword === 'oneOf' || group.keyword === 'propertyNames';
  const isSame = error.keywordLocation === group.keywordLocation && error.instanceLocation === group.instanceLocation;
  return isSame && MERGED.has(group.keyword);
}

/** Errors of alternatives by the alternative they belong to; a false schema's go with the one before. */
function byBranch(errors: readonly OutputUnit[], prefix: string): OutputUnit[][] {
  const branches: OutputUnit[][] = [];
  let current = 0;
  for (const error of errors) {
    if (error.keywordLocation.startsWith(prefix)) current = Number.parseInt(error.keywordLocation.slice(prefix.length), 10);
    while (branches.length <= current) branches.push([]);
    branches[current]?.push(error);
  }
  return branches;
}

function endOfLeftOver(errors: readonly OutputUnit[], start: number, instanceLocation: string, keywordLocation: string): number {
  let end = start;
  for (let child = errors[end]; child !== undefined; child = errors[end]) {
    const isChild = child.keyword === 'false' || child.keywordLocation.startsWith(`${keywordLocation}/`);
    if (!isChild || !isUnder(child.instanceLocation, instanceLocation)) break;
    end += 1;
  }
  return end;
}

function isUnder(location: string, parent: string): boolean {
  return location === parent || location.startsWith(`${parent}/`);
}

function isNode(value: unknown): value is SchemaNode {
  return typeof value === 'object' && value !== null;
}
