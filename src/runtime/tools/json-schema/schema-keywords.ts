/**
 * The keywords of JSON Schema (draft 4 to 2020-12) that say something about data: where their subschemas are and
 * what shape their values have. Whatever is not listed here is an annotation or unknown, and never checked.
 */
import { isJsonObject, type JsonValue } from '../../schema/json.ts';

/** Drafts that are told apart. */
export type Draft = '4' | '7' | '2019-09' | '2020-12';

/** Draft by `$schema`; 2020-12 where it is missing or names a dialect of its own. */
export function draftOf(schema: JsonValue): Draft {
  const uri = isJsonObject(schema) ? schema['$schema'] : undefined;
  if (typeof uri !== 'string') return '2020-12';
  if (/draft-0?4\b/u.test(uri)) return '4';
  if (/draft-0?[67]\b/u.test(uri)) return '7';
  return /2019-09/u.test(uri) ? '2019-09' : '2020-12';
}

/** Keywords whose value is one subschema (`items` may also be a list). */
export const SINGLE_KEYWORDS = [
  'additionalItems',
  'unevaluatedItems',
  'items',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
] as const;

/** Keywords whose value is a list of subschemas. */
export const LIST_KEYWORDS = ['prefixItems', 'items', 'allOf', 'anyOf', 'oneOf'] as const;

/** Keywords whose value maps names to subschemas (in `dependencies` also to lists of names). */
export const MAP_KEYWORDS = ['properties', 'patternProperties', 'dependentSchemas', 'dependencies', '$defs', 'definitions'] as const;

/** Keywords that look at the same value as the schema they stand in. */
export const IN_PLACE_KEYWORDS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas']);

/** Keywords that assert something by themselves, without a subschema; patterns and `uniqueItems` apart. */
export const ASSERTION_KEYWORDS = [
  'type',
  'const',
  'enum',
  'required',
  'dependentRequired',
  'multipleOf',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'minContains',
  'maxContains',
] as const;

interface Shape {
  readonly keywords: readonly string[];
  readonly expected: string;
  fits(value: JsonValue): boolean;
}

const TYPES: readonly JsonValue[] = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'];
const isType = (value: JsonValue): boolean => TYPES.includes(value);
const isNames = (value: JsonValue): boolean => Array.isArray(value) && value.every((name) => typeof name === 'string');
const isSchema = (value: JsonValue): boolean => typeof value === 'boolean' || isJsonObject(value);
const isSchemas = (value: JsonValue): boolean => Array.isArray(value) && value.length > 0 && value.every(isSchema);
const isMapOf =
  (fits: (value: JsonValue) => boolean) =>
  (value: JsonValue): boolean =>
    isJsonObject(value) && Object.values(value).every(fits);

const SHAPES: readonly Shape[] = [
  {
    keywords: ['type'],
    expected: `one of ${TYPES.join(', ')}, or a list of them`,
    fits: (value) => isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType)),
  },
  { keywords: ['enum'], expected: 'a list of values', fits: (value) => Array.isArray(value) },
  { keywords: ['required'], expected: 'a list of property names', fits: isNames },
  { keywords: ['dependentRequired'], expected: 'an object of lists of property names', fits: isMapOf(isNames) },
  { keywords: ['uniqueItems'], expected: 'true or false', fits: (value) => typeof value === 'boolean' },
  { keywords: ['multipleOf'], expected: 'a number over 0', fits: (value) => typeof value === 'number' && value > 0 },
  {
    keywords: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
    expected: 'a number',
    fits: (value) => typeof value === 'number',
  },
  {
    keywords: ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties', 'minContains', 'maxContains'],
    expected: 'a whole number of 0 or more',
    fits: (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0,
  },
  {
    keywords: ['pattern', '$id', '$ref', '$anchor', '$dynamicRef', '$dynamicAnchor', '$recursiveRef'],
    expected: 'a text',
    fits: (value) => typeof value === 'string',
  },
  { keywords: ['items'], expected: 'a schema or a list of schemas', fits: (value) => isSchema(value) || isSchemas(value) },
  {
    keywords: SINGLE_KEYWORDS.filter((keyword) => keyword !== 'items'),
    expected: 'a schema (an object, true or false)',
    fits: isSchema,
  },
  { keywords: LIST_KEYWORDS.filter((keyword) => keyword !== 'items'), expected: 'a list of schemas, not empty', fits: isSchemas },
  { keywords: MAP_KEYWORDS.filter((keyword) => keyword !== 'dependencies'), expected: 'an object of schemas', fits: isMapOf(isSchema) },
  {
    keywords: ['dependencies'],
    expected: 'an object of schemas and lists of property names',
    fits: isMapOf((value) => isSchema(value) || isNames(value)),
  },
];

const SHAPE_OF: ReadonlyMap<string, Shape> = new Map(SHAPES.flatMap((shape) => shape.keywords.map((keyword) => [keyword, shape])));

/** What a keyword's value ought to be, where it is something else; undefined when it fits or the keyword is unknown. */
export function expectedShape(keyword: string, value: JsonValue, draft: Draft): string | undefined {
  // Draft 4 has the exclusive bounds as flags beside minimum and maximum.
  if (draft === '4' && keyword.startsWith('exclusive') && typeof value === 'boolean') return undefined;
  const shape = SHAPE_OF.get(keyword);
  return shape === undefined || shape.fits(value) ? undefined : shape.expected;
}
