/**
 * Finds what a `$ref` means, by the schema alone: identifiers, anchors and JSON pointers within the schema and the
 * documents given with it. Nothing is ever fetched.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../schema/json.ts';
import { type Draft, draftOf, LIST_KEYWORDS, MAP_KEYWORDS, SINGLE_KEYWORDS } from './schema-keywords.ts';

/** Base of a schema that names none. */
export const ROOT_URI = 'schema:///';

/** A schema and the URI that its own references are relative to. */
export interface LocatedSchema {
  readonly schema: JsonValue;
  readonly base: string;
}

/** All identified places of a schema and its documents. */
export class SchemaIndex {
  readonly #places = new Map<string, LocatedSchema>();
  readonly #bases = new Map<JsonObject, string>();

  /** Adds a document under a URI, with everything inside it that has a name. Iterative: a schema may be deep. */
  add(document: JsonValue, uri: string, draft: Draft = draftOf(document)): void {
    this.#places.set(withoutFragment(uri), { schema: document, base: uri });
    const open: LocatedSchema[] = [{ schema: document, base: uri }];
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      if (!isJsonObject(place.schema)) continue;
      const base = this.#name(place.schema, place.base, draft);
      this.#bases.set(place.schema, base);
      for (const schema of subschemas(place.schema)) open.push({ schema, base });
    }
    const base = isJsonObject(document) ? this.#bases.get(document) : undefined;
    if (base !== undefined) this.#places.set(withoutFragment(uri), { schema: document, base });
  }

  /** Base URI within a schema object; undefined for one at a place where no schema is expected. */
  baseOf(schema: JsonObject): string | undefined {
    return this.#bases.get(schema);
  }

  /** What a reference points at; undefined where there is nothing, or nothing that can be a schema. */
  resolve(reference: string, base: string): LocatedSchema | undefined {
    const target = parseUri(reference, base);
    if (target === undefined) return undefined;
    const fragment = decoded(target.hash.slice(1));
    const document = withoutFragment(target.href);
    if (!fragment.startsWith('/')) return this.#places.get(fragment === '' ? document : `${document}#${fragment}`);
    const root = this.#places.get(document);
    return root === undefined ? undefined : this.#follow(fragment, root);
  }

  /** Registers the names that a schema object gives itself, and returns the base URI that holds inside it. */
  #name(schema: JsonObject, outer: string, draft: Draft): string {
    const base = this.#identify(schema, outer, draft);
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      const anchor = schema[keyword];
      if (typeof anchor === 'string') this.#places.set(`${withoutFragment(base)}#${anchor}`, { schema, base });
    }
    return base;
  }

  #identify(schema: JsonObject, outer: string, draft: Draft): string {
    const id = draft === '4' ? schema['id'] : schema['$id'];
    // Up to draft 7 a `$ref` hides everything beside it.
    if (typeof id !== 'string' || ((draft === '4' || draft === '7') && '$ref' in schema)) return outer;
    const uri = parseUri(id, outer);
    if (uri === undefined) return outer;
    const isAnchor = uri.hash.length > 1;
    const base = isAnchor ? outer : withoutFragment(uri.href);
    this.#places.set(isAnchor ? `${withoutFragment(uri.href)}#${decoded(uri.hash.slice(1))}` : base, { schema, base });
    return base;
  }

  #follow(pointer: string, root: LocatedSchema): LocatedSchema | undefined {
    let { schema, base } = root;
    for (const token of pointer.slice(1).split('/')) {
      const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof schema !== 'object' || schema === null || !Object.hasOwn(schema, key)) return undefined;
      schema = (schema as JsonObject)[key] ?? null;
      if (isJsonObject(schema)) base = this.#bases.get(schema) ?? base;
    }
    return typeof schema === 'boolean' || isJsonObject(schema) ? { schema, base } : undefined;
  }
}

function* subschemas(schema: JsonObject): Iterable<JsonValue> {
  for (const keyword of SINGLE_KEYWORDS) yield schema[keyword] ?? null;
  for (const keyword of LIST_KEYWORDS) {
    const list = schema[keyword];
    if (Array.isArray(list)) yield* list;
  }
  for (const keyword of MAP_KEYWORDS) {
    const map = schema[keyword];
    if (map !== undefined && isJsonObject(map)) yield* Object.values(map);
  }
}

function parseUri(reference: string, base: string): URL | undefined {
  try {
    return new URL(reference, base);
  } catch {
    // Not a URI, or a relative one with nothing to be relative to: it names nothing.
    return undefined;
  }
}

function withoutFragment(uri: string): string {
  return uri.replace(/#.*$/su, '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign stands for itself.
    return text;
  }
}
