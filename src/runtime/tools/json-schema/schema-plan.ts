/** A JSON Schema made ready for checking, but for its patterns: what planning produces and checking reads. */
import type { Draft } from './schema-keywords.ts';

/** A schema object as the checking library reads it; it inherits nothing. */
export interface SchemaNode {
  [keyword: string]: unknown;
}

/** The `patternProperties` of one schema object: which names they mean is known only once there is data. */
export interface PatternProperties {
  readonly node: SchemaNode;
  readonly properties: Readonly<Record<string, SchemaNode | boolean>>;
  readonly patterns: readonly (readonly [pattern: string, schema: SchemaNode | boolean])[];
}

/** A schema, ready but for its patterns. */
export interface SchemaPlan {
  /** What error messages call the owner of the schema, `Tool "x"`. */
  readonly subject: string;
  readonly draft: Draft;
  readonly root: SchemaNode | boolean;
  /** Targets of references, by the key that stands in the referring node. */
  readonly targets: Readonly<Record<string, SchemaNode | boolean>>;
  /** Every pattern, and where it stands. */
  readonly patterns: ReadonlyMap<string, string>;
  readonly patternProperties: readonly PatternProperties[];
  /** What `uniqueItems` is against: a schema whose `enum` is filled with the repeating arrays of the data at hand. Undefined: no such keyword. */
  readonly repeating: SchemaNode | undefined;
}

/** Property of a node under which the checking library looks for the key of its reference. */
export const REFERENCE_KEY = '__absolute_ref__';

/** Name of the format that stands for a pattern. */
export function patternFormat(pattern: string): string {
  return `pattern ${pattern}`;
}

/** The pattern that a format stands for. */
export function formatPattern(format: string): string {
  return format.slice('pattern '.length);
}
