/**
 * From a JSON Schema to what is checked: a copy that holds only what can be reached from its root and only keywords
 * that assert something, with references resolved and patterns taken out (they are for the pattern engine). Pure and
 * without any library, so that a bad schema is refused where it is written.
 */
import { ConfigError } from '../../errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../schema/json.ts';
import { shorten } from '../../shorten.ts';
import { ecmaToRe2, PatternProblem } from './ecma-pattern.ts';
import { findEndless } from './endless-references.ts';
import { ownCopy, ownObject } from './own-copy.ts';
import { ROOT_URI, SchemaIndex } from './schema-index.ts';
import {
  ASSERTION_KEYWORDS,
  type Draft,
  draftOf,
  expectedShape,
  IN_PLACE_KEYWORDS,
  LIST_KEYWORDS,
  SINGLE_KEYWORDS,
} from './schema-keywords.ts';
import { type PatternProperties, patternFormat, REFERENCE_KEY, type SchemaNode, type SchemaPlan } from './schema-plan.ts';

/** Most characters of a value that an error quotes. */
const MOST_SHOWN = 80;

/** What belongs to a schema. */
export interface SchemaOptions {
  /** What error messages call it; default "The schema". */
  readonly subject?: string;
  /** Further schemas by URI, for references to them. */
  readonly documents?: Readonly<Record<string, JsonValue>>;
}

/**
 * Plans a schema. Throws a ConfigError that names the subject, the place in the schema, what was expected and what to
 * do: a keyword of the wrong shape, a reference to nothing, a reference that never ends, a pattern that cannot be
 * checked in bounded time.
 */
export function planSchema(schema: unknown, options: SchemaOptions = {}): SchemaPlan {
  const subject = options.subject ?? 'The schema';
  const root = jsonCopy(schema, subject);
  const index = new SchemaIndex();
  const draft = draftOf(root);
  index.add(root, ROOT_URI, draft);
  for (const [uri, document] of Object.entries(options.documents ?? {})) index.add(jsonCopy(document, subject), uri);
  return new Planner(subject, draft, index).plan(root);
}

function jsonCopy(schema: unknown, subject: string): JsonValue {
  try {
    const text = JSON.stringify(schema);
    if (text !== undefined) return JSON.parse(text);
  } catch (error) {
    throw new ConfigError('bad_schema', `${subject}: the schema must be plain JSON data, without cycles.`, { cause: error });
  }
  throw new ConfigError('bad_schema', `${subject}: the schema must be plain JSON data, got ${typeof schema}.`);
}

interface Job {
  readonly schema: JsonObject;
  readonly node: SchemaNode;
  readonly base: string;
  /** JSON pointer for messages, beginning at the root or at the last reference. */
  readonly where: string;
}

/** Copies schema objects one by one from a list, so that neither depth nor a circle of references matters. */
class Planner {
  readonly #subject: string;
  readonly #draft: Draft;
  readonly #index: SchemaIndex;
  readonly #nodes = new Map<JsonObject, SchemaNode>();
  readonly #jobs: Job[] = [];
  readonly #targets = ownObject() as Record<string, SchemaNode | boolean>;
  #references = 0;
  readonly #patterns = new Map<string, string>();
  readonly #patternProperties: PatternProperties[] = [];
  readonly #repeating: SchemaNode = ownObject();
  #isUnique = false;
  /** Which nodes look at the same value as a node, by way of a keyword or a reference. */
  readonly #inPlace = new Map<SchemaNode, SchemaNode[]>();

  constructor(subject: string, draft: Draft, index: SchemaIndex) {
    this.#subject = subject;
    this.#draft = draft;
    this.#index = index;
  }

  plan(schema: JsonValue): SchemaPlan {
    const root = this.#nodeOf(schema, ROOT_URI, '');
    for (const job of this.#jobs) this.#fill(job);
    this.#refuseEndless();
    return {
      subject: this.#subject,
      draft: this.#draft,
      root,
      targets: this.#targets,
      patterns: this.#patterns,
      patternProperties: this.#patternProperties,
      repeating: this.#isUnique ? this.#repeating : undefined,
    };
  }

  #nodeOf(schema: JsonValue, base: string, where: string): SchemaNode | boolean {
    if (typeof schema === 'boolean') return schema;
    if (!isJsonObject(schema)) throw this.#problem(where, `expected a schema (an object, true or false), got ${shown(schema)}`);
    const known = this.#nodes.get(schema);
    if (known !== undefined) return known;
    const node: SchemaNode = ownObject();
    this.#nodes.set(schema, node);
    this.#jobs.push({ schema, node, base: this.#index.baseOf(schema) ?? base, where });
    return node;
  }

  #fill(job: Job): void {
    const { schema, node } = job;
    for (const [keyword, value] of Object.entries(schema)) {
      const expected = expectedShape(keyword, value, this.#draft);
      if (expected !== undefined) throw this.#problem(`${job.where}/${keyword}`, `expected ${expected}, got ${shown(value)}`);
    }
    this.#addReferences(job);
    // Up to draft 7 a `$ref` hides everything beside it.
    if ('$ref' in schema && (this.#draft === '4' || this.#draft === '7')) return;
    for (const keyword of ASSERTION_KEYWORDS) {
      const value = schema[keyword];
      if (value !== undefined) node[keyword] = this.#plain(value, `${job.where}/${keyword}`);
    }
    this.#addSubschemas(job);
    if (schema['uniqueItems'] === true) this.#addUniqueItems(node);
    this.#addDependencies(job);
    this.#addPatterns(job);
  }

  /** A `$dynamicRef` is read as a plain reference: who extends a schema from outside is not known here. */
  #addReferences({ schema, node, base, where }: Job): void {
    const references = ['$ref', '$dynamicRef', '$recursiveRef']
      .map((keyword) => schema[keyword])
      .filter((value) => typeof value === 'string');
    for (const [position, reference] of references.entries()) {
      const referring: SchemaNode = position === 0 ? node : ownObject();
      if (position > 0) this.#addTo(node, 'allOf', referring);
      const target = this.#target(reference, base, where);
      const key = String(this.#references);
      this.#references += 1;
      this.#targets[key] = target;
      referring['$ref'] = reference;
      referring[REFERENCE_KEY] = key;
      this.#link(node, target);
    }
  }

  #target(reference: string, base: string, where: string): SchemaNode | boolean {
    const located = this.#index.resolve(reference, base);
    if (located !== undefined) return this.#nodeOf(located.schema, located.base, reference);
    throw this.#problem(
      `${where}/$ref`,
      `"${reference}" is nowhere in the schema, and nothing is fetched from outside. Put the schema under "$defs" and refer to it as "#/$defs/name"`,
    );
  }

  #addSubschemas({ schema, node, base, where }: Job): void {
    const child = (value: JsonValue, keyword: string, path: string): SchemaNode | boolean => {
      const made = this.#nodeOf(value, base, `${where}/${path}`);
      if (IN_PLACE_KEYWORDS.has(keyword)) this.#link(node, made);
      return made;
    };
    for (const keyword of SINGLE_KEYWORDS) {
      const value = schema[keyword];
      if (value !== undefined && !Array.isArray(value)) node[keyword] = child(value, keyword, keyword);
    }
    for (const keyword of LIST_KEYWORDS) {
      const values = schema[keyword];
      if (!Array.isArray(values)) continue;
      for (const [position, value] of values.entries()) this.#addTo(node, keyword, child(value, keyword, `${keyword}/${position}`));
    }
    for (const keyword of ['properties', 'dependentSchemas']) {
      const map = schema[keyword];
      if (map === undefined || !isJsonObject(map)) continue;
      for (const [name, value] of Object.entries(map)) entriesOf(node, keyword)[name] = child(value, keyword, `${keyword}/${name}`);
    }
  }

  #addUniqueItems(node: SchemaNode): void {
    this.#isUnique = true;
    const [unique, array, repeatsNothing] = [ownObject(), ownObject(), ownObject()];
    repeatsNothing['not'] = this.#repeating;
    array['type'] = 'array';
    // Asked of arrays only: to compare an object with a long array takes the library long.
    unique['if'] = array;
    unique['then'] = repeatsNothing;
    this.#addTo(node, 'allOf', unique);
  }

  /** `dependencies` of the older drafts, as the two keywords that it became. */
  #addDependencies({ schema, node, base, where }: Job): void {
    const map = schema['dependencies'];
    if (map === undefined || !isJsonObject(map)) return;
    for (const [name, value] of Object.entries(map)) {
      if (Array.isArray(value)) entriesOf(node, 'dependentRequired')[name] = value;
      else {
        const made = this.#nodeOf(value, base, `${where}/dependencies/${name}`);
        this.#link(node, made);
        entriesOf(node, 'dependentSchemas')[name] = made;
      }
    }
  }

  #addPatterns({ schema, node, base, where }: Job): void {
    const { pattern, patternProperties } = schema;
    // `format` itself is an annotation and not taken over, so its place is free for the pattern.
    if (typeof pattern === 'string') node['format'] = patternFormat(this.#pattern(pattern, `${where}/pattern`));
    if (patternProperties === undefined || !isJsonObject(patternProperties)) return;
    const properties = entriesOf(node, 'properties') as Record<string, SchemaNode | boolean>;
    const patterns = Object.entries(patternProperties).map(([name, value]) => {
      const place = `${where}/patternProperties/${name}`;
      return [this.#pattern(name, place), this.#nodeOf(value, base, place)] as const;
    });
    this.#patternProperties.push({ node, properties, patterns });
  }

  #pattern(pattern: string, where: string): string {
    try {
      ecmaToRe2(pattern);
    } catch (error) {
      if (error instanceof PatternProblem) throw patternError(this.#subject, pattern, where, error);
      throw error;
    }
    if (!this.#patterns.has(pattern)) this.#patterns.set(pattern, where);
    return pattern;
  }

  #plain(value: JsonValue, where: string): unknown {
    const copy = ownCopy(value);
    if (!copy.ok) throw this.#problem(where, copy.problem);
    return copy.value;
  }

  #addTo(node: SchemaNode, keyword: string, child: SchemaNode | boolean): void {
    const list = node[keyword];
    if (Array.isArray(list)) list.push(child);
    else node[keyword] = [child];
  }

  #link(from: SchemaNode, to: SchemaNode | boolean): void {
    if (typeof to === 'boolean') return;
    const known = this.#inPlace.get(from);
    if (known === undefined) this.#inPlace.set(from, [to]);
    else known.push(to);
  }

  #refuseEndless(): void {
    const endless = findEndless(this.#nodes.values(), this.#inPlace);
    const job = this.#jobs.find(({ node }) => node === endless);
    if (job !== undefined)
      throw this.#problem(job.where, 'it refers to itself without end. Let the reference stand under a property or an item');
  }

  #problem(where: string, what: string): ConfigError {
    return new ConfigError('bad_schema', `${this.#subject}: the schema is wrong at ${where === '' ? 'its root' : where}: ${what}.`);
  }
}

/** The error for a pattern that cannot be used. */
export function patternError(subject: string, pattern: string, where: string, problem: PatternProblem): ConfigError {
  return new ConfigError(
    'bad_pattern',
    `${subject}: the pattern ${shown(pattern)} at ${where} cannot be checked in bounded time: ${problem.message}. ` +
      'Patterns have no lookahead and no backreferences, and repeat at most 1000 times; write it without, or check it inside the tool.',
    { cause: problem },
  );
}

function entriesOf(node: SchemaNode, keyword: string): Record<string, unknown> {
  const known = node[keyword];
  if (typeof known === 'object' && known !== null) return known as Record<string, unknown>;
  const made = ownObject();
  node[keyword] = made;
  return made;
}

function shown(value: JsonValue): string {
  return shorten(JSON.stringify(value), MOST_SHOWN);
}
