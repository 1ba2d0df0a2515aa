/**
 * YAML as a tree that knows where everything stands: maps, lists and scalars with their place and their text
 * in the file, aliases replaced by what they stand for. Everything that reads a manifest reads this and
 * never the parser's own nodes. Bounded in depth and size, so that a bomb of aliases, or an alias to what it
 * stands in, is a problem and no crash.
 */
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type ParsedNode,
  visit,
} from 'yaml';
import type { ManifestProblems, Place } from './manifest-problems.ts';

interface Base extends Place {
  /** Offset behind its last character. */
  readonly end: number;
  /** Its text in the file. */
  readonly source: string;
}

/** A text, number, truth value or null. Whole numbers are exact. */
export interface YamlScalar extends Base {
  readonly kind: 'scalar';
  readonly value: string | number | bigint | boolean | null;
}

/** A list. */
export interface YamlList extends Base {
  readonly kind: 'list';
  readonly items: readonly YamlNode[];
}

/** One key of a map with its value. */
export interface YamlEntry {
  readonly key: string;
  /** Whether the key is a plain value, as opposed to a map or list that stands in the place of a key. */
  readonly simpleKey: boolean;
  /** The place of the key. */
  readonly at: Place;
  readonly node: YamlNode;
}

/** A map; its entries in the order of the file. */
export interface YamlMap extends Base {
  readonly kind: 'map';
  readonly entries: readonly YamlEntry[];
}

/** Any part of a manifest. */
export type YamlNode = YamlScalar | YamlList | YamlMap;

/** Nodes with all aliases replaced: far above any real manifest, far below what hurts. */
const MOST_NODES = 20_000;
const MOST_LEVELS = 64;

/** Builds the tree of a parsed document. What cannot be part of one is noted in `problems`. Undefined when there is nothing to read. */
export function buildYamlTree(document: Document.Parsed, text: string, problems: ManifestProblems): YamlNode | undefined {
  if (document.contents === null) return undefined;
  return new TreeBuilder(text, targetsOfAliases(document), problems).build(document.contents, []);
}

/** The innermost part of a tree that an offset belongs to: for errors that know nothing but an offset. */
export function placeAt(node: YamlNode, offset: number): Place {
  const children =
    node.kind === 'map' ? node.entries.map((entry) => ({ ...entry.node, start: entry.at.start })) : node.kind === 'list' ? node.items : [];
  const last = children.filter((child) => child.start <= offset).at(-1);
  return { start: offset, path: last === undefined ? node.path : placeAt(last, offset).path };
}

class TreeBuilder {
  readonly #text: string;
  readonly #targets: ReadonlyMap<Alias, Node | undefined>;
  readonly #problems: ManifestProblems;
  #nodes = 0;

  constructor(text: string, targets: ReadonlyMap<Alias, Node | undefined>, problems: ManifestProblems) {
    this.#text = text;
    this.#targets = targets;
    this.#problems = problems;
  }

  /** `outer` is the alias that brought this node here: its place is then the place of everything in it. */
  build(node: Node | null, path: Place['path'], outer?: Place & { end: number }): YamlNode {
    const place = { ...(outer ?? rangeOf(node)), path };
    const source = this.#sourceOf(node);
    const nothing: YamlScalar = { kind: 'scalar', value: null, source, ...place };
    if (!this.#mayGrow(place)) return nothing;
    if (isAlias(node)) return this.#buildAlias(node, place) ?? nothing;
    if (isSeq(node)) {
      const items = node.items.map((item, index) => this.build(isNode(item) ? item : null, [...path, index], outer));
      return { kind: 'list', items, source, ...place };
    }
    if (isMap(node)) {
      const entries = node.items.flatMap((pair) => (isPair(pair) ? [this.#buildEntry(pair, path, outer)] : []));
      return { kind: 'map', entries, source, ...place };
    }
    return isScalar(node) ? { kind: 'scalar', value: this.#valueOf(node.value, place), source, ...place } : nothing;
  }

  #buildEntry(pair: Pair, path: Place['path'], outer?: Place & { end: number }): YamlEntry {
    const keyNode = isNode(pair.key) ? pair.key : null;
    const simpleKey = isScalar(keyNode);
    const key = simpleKey && typeof keyNode.value === 'string' ? keyNode.value : this.#sourceOf(keyNode);
    const at = { ...(outer ?? rangeOf(keyNode)), path: [...path, key] };
    // A key without a value has no node: it is null, and it stands where the key does.
    const node = isNode(pair.value)
      ? this.build(pair.value, at.path, outer)
      : ({ kind: 'scalar', value: null, source: '', ...at } as const);
    return { key, simpleKey, at, node };
  }

  #buildAlias(alias: Alias, place: Place & { end: number }): YamlNode | undefined {
    const target = this.#targets.get(alias);
    if (target !== undefined) return this.build(target, place.path, place);
    this.#problems.add(place, `*${alias.source} stands for nothing; define it earlier with &${alias.source}`);
    return undefined;
  }

  /** Notes once that the tree is too large, or that it is too deep, and then lets nothing more grow. */
  #mayGrow(place: Place): boolean {
    if (this.#nodes > MOST_NODES) return false;
    this.#nodes += 1;
    if (this.#nodes <= MOST_NODES && place.path.length <= MOST_LEVELS) return true;
    const what = this.#nodes > MOST_NODES ? `more than ${MOST_NODES} values` : `more than ${MOST_LEVELS} levels`;
    this.#problems.add(place, `the file has ${what} once its aliases are replaced; write out what is meant and drop the aliases`);
    this.#nodes = MOST_NODES + 1;
    return false;
  }

  #valueOf(value: unknown, place: Place): YamlScalar['value'] {
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    if (typeof value === 'number' || typeof value === 'bigint') return value;
    this.#problems.add(place, 'a manifest holds texts, numbers, true, false, lists and maps only; remove the tag');
    return null;
  }

  #sourceOf(node: Node | null): string {
    const range = node?.range;
    return range ? this.#text.slice(range[0], range[1]) : '';
  }
}

function rangeOf(node: Node | null): { start: number; end: number } {
  return { start: node?.range?.[0] ?? 0, end: node?.range?.[1] ?? 0 };
}

/** What each alias stands for: the anchor of its name that comes last before it. */
function targetsOfAliases(document: Document.Parsed<ParsedNode>): Map<Alias, Node | undefined> {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node | undefined>();
  visit(document, (_, node) => {
    if (isAlias(node)) targets.set(node, anchors.get(node.source));
    else if (isNode(node) && node.anchor !== undefined) anchors.set(node.anchor, node);
  });
  return targets;
}
