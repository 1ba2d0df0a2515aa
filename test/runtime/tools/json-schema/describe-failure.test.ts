import { describe, expect, it } from 'vitest';
import { compileSchema } from '../../../../src/runtime/tools/json-schema/check-schema.ts';

async function problemOf(schema: unknown, value: unknown): Promise<string | undefined> {
  const { check } = await compileSchema(schema);
  const verdict = check(value);
  return verdict.ok ? undefined : verdict.problem;
}

describe('the sentence about data that does not fit', () => {
  it.each<[string, unknown, unknown, string]>([
    ['type', { type: 'integer' }, 'three', 'expected integer, got "three"'],
    ['types', { type: ['string', 'null'] }, { a: 1 }, 'expected string or null, got an object'],
    ['const', { const: { a: 1 } }, [1, 2], 'expected {"a":1}, got an array of 2 items'],
    ['enum', { enum: ['a', 'b', null] }, 'c', 'expected one of "a", "b", null, got "c"'],
    ['required', { required: ['a', 'b', 'c'] }, { b: 1 }, 'missing required properties "a", "c"'],
    ['dependentRequired', { dependentRequired: { a: ['b', 'c'] } }, { a: 1, c: 1 }, '"a" needs "b" beside it'],
    ['pattern', { pattern: '^\\d+$' }, 'x', 'expected a text that matches "^\\\\d+$", got "x"'],
    ['minimum', { minimum: 3 }, 2, 'expected 3 or more, got 2'],
    ['maximum', { maximum: 3 }, 4, 'expected 3 or less, got 4'],
    ['exclusiveMinimum', { exclusiveMinimum: 3 }, 3, 'expected more than 3, got 3'],
    ['exclusiveMaximum', { exclusiveMaximum: 3 }, 3, 'expected less than 3, got 3'],
    ['multipleOf', { multipleOf: 5 }, 7, 'expected a multiple of 5, got 7'],
    ['minLength', { minLength: 2 }, '🙂', 'expected 2 characters or more, got "🙂"'],
    ['maxLength', { maxLength: 1 }, '🙂🙂', 'expected at most 1 character, got 2 characters'],
    ['minItems', { minItems: 2 }, [1], 'expected 2 items or more, got an array of 1 item'],
    ['maxItems', { maxItems: 1 }, [1, 2], 'expected at most 1 item, got an array of 2 items'],
    ['uniqueItems', { uniqueItems: true }, [1, 1], 'expected items that all differ, but some are equal'],
    ['contains', { contains: { const: 1 } }, [2], 'no item fits the schema under "contains"'],
    ['minContains', { contains: { const: 1 }, minContains: 2 }, [1, 2], 'expected 2 items or more that fit the schema under "contains"'],
    ['maxContains', { contains: { const: 1 }, maxContains: 1 }, [1, 1], 'expected at most 1 item that fit the schema under "contains"'],
    ['minProperties', { minProperties: 1 }, {}, 'expected 1 property or more, got 0'],
    ['maxProperties', { maxProperties: 1 }, { a: 1, b: 2 }, 'expected at most 1 property, got 2'],
    ['not', { not: { type: 'string' } }, 'a', 'must not fit the schema under "not", got "a"'],
    [
      'propertyNames',
      { propertyNames: { maxLength: 2 } },
      { long: 1 },
      'property name "long" is not allowed (expected at most 2 characters, got 4 characters)',
    ],
    ['if and then', JSON.parse('{ "if": { "type": "object" }, "then": { "required": ["a"] } }'), {}, 'missing required property "a"'],
    ['dependentSchemas', { dependentSchemas: { a: { required: ['b'] } } }, { a: 1 }, 'missing required property "b"'],
    ['false', { properties: { a: false } }, { a: 1 }, '/a: must not be there'],
    ['items', { prefixItems: [true], items: false }, [1, 2], '/1: must not be there'],
  ])('says of %s what was expected and what was there', async (_, schema, value, sentence) => {
    expect(await problemOf(schema, value)).toBe(sentence);
  });

  it('names the place by a JSON pointer, through references and odd names', async () => {
    const schema = {
      properties: { 'a/b': { items: { $ref: '#/$defs/entry' } }, $ref: { type: 'number' } },
      $defs: { entry: { properties: { '~ é%': { type: 'null' } } } },
    };

    expect(await problemOf(schema, { 'a/b': [{}, { '~ é%': 1 }], $ref: 'x' })).toBe(
      '/a~1b/1/~0 é%: expected null, got 1; /$ref: expected number, got "x"',
    );
  });

  it('tells several problems at once, five at most', async () => {
    const properties = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, { type: 'string' }]));
    const value = { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 };
    const problem = await problemOf({ properties }, value);

    expect(problem?.split('; ')).toEqual([
      ...['a', 'b', 'c', 'd', 'e'].map((name, index) => `/${name}: expected string, got ${index + 1}`),
      'and more',
    ]);
  });

  it('tells of a wrong property once, and does not call it unknown', async () => {
    const schema = { properties: { a: { type: 'integer' } }, additionalProperties: false };

    expect(await problemOf(schema, { a: true, b: 1 })).toBe('/a: expected integer, got true; unknown property "b", known are "a"');
    expect(await problemOf({ properties: { a: { type: 'integer' } }, additionalProperties: { type: 'string' } }, { a: true })).toBe(
      '/a: expected integer, got true',
    );
    expect(await problemOf({ allOf: [{ properties: { a: { type: 'integer' } } }], unevaluatedProperties: false }, { a: true })).toBe(
      '/a: expected integer, got true',
    );
  });

  it('lists what is wrong with each alternative', async () => {
    const schema = { properties: { x: { anyOf: [{ type: 'integer' }, { required: ['id'] }, false] } } };

    expect(await problemOf(schema, { x: {} })).toBe(
      '/x: fits none of 3 alternatives: (1) expected integer, got an object, (2) missing required property "id"',
    );
    expect(await problemOf({ oneOf: [{ minimum: 1 }, { maximum: 9 }] }, 5)).toBe('fits 2 of 2 alternatives, must fit exactly one');
  });

  it('stays short and on one line whatever the data holds', async () => {
    const name = `a\n${'x'.repeat(10_000)}`;
    const problem = await problemOf({ additionalProperties: { enum: ['y'.repeat(10_000)] } }, { [name]: 'z'.repeat(10_000) });

    expect(problem?.length).toBeLessThan(400);
    expect(problem).not.toContain('\n');
  });
});
