import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../../src/runtime/errors.ts';
import { compileSchema } from '../../../../src/runtime/tools/json-schema/check-schema.ts';
import { planSchema } from '../../../../src/runtime/tools/json-schema/plan-schema.ts';

function errorOf(schema: unknown): ConfigError {
  try {
    planSchema(schema, { subject: 'Tool "demo"' });
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('The schema was accepted.');
}

describe('a wrong schema', () => {
  it.each<[string, unknown, string]>([
    ['a type that does not exist', { properties: { a: { type: 'text' } } }, 'wrong at /properties/a/type: expected one of null, boolean,'],
    [
      'required as a flag',
      { properties: { a: { required: true } } },
      'at /properties/a/required: expected a list of property names, got true',
    ],
    ['a bound as a text', { items: { minimum: '5' } }, 'at /items/minimum: expected a number, got "5"'],
    ['a bound as a flag outside draft 4', { exclusiveMinimum: true }, 'at /exclusiveMinimum: expected a number, got true'],
    ['a negative count', { maxLength: -1 }, 'at /maxLength: expected a whole number of 0 or more, got -1'],
    ['an enum that is no list', { enum: 'a' }, 'at /enum: expected a list of values, got "a"'],
    ['no alternatives', { anyOf: [] }, 'at /anyOf: expected a list of schemas, not empty, got []'],
    ['a subschema that is none', { properties: { a: 'string' } }, 'at /properties: expected an object of schemas, got {"a":"string"}'],
    ['a schema that is none', null, 'at its root: expected a schema (an object, true or false), got null'],
    ['a function', () => {}, 'must be plain JSON data, got function'],
    ['a pattern that is no text', { pattern: 5 }, 'at /pattern: expected a text, got 5'],
  ])('is refused with its place: %s', (_, schema, message) => {
    expect(errorOf(schema).message).toContain('Tool "demo": the schema');
    expect(errorOf(schema).message).toContain(message);
    expect(errorOf(schema).code).toBe('bad_schema');
  });

  it('is refused when it holds itself as a value', () => {
    const schema: Record<string, unknown> = {};
    schema['items'] = schema;

    expect(errorOf(schema).message).toContain('without cycles');
  });

  it.each([
    ['itself', { $ref: '#' }],
    [
      'a definition that refers back',
      { $ref: '#/$defs/a', $defs: { a: { allOf: [{ $ref: '#/$defs/b' }] }, b: { if: { $ref: '#/$defs/a' } } } },
    ],
  ])('is refused when it refers to the same value without end: %s', (_, schema) => {
    expect(errorOf(schema).message).toContain('refers to itself without end');
  });

  it('may refer to itself under a property', () => {
    expect(() => planSchema({ properties: { child: { $ref: '#' } } })).not.toThrow();
  });
});

describe('a reference', () => {
  it.each(['https://example.com/schema.json', '#/$defs/missing', '#missing', 'http://[', 'other.json#/a', '#/properties/a/type'])(
    'to nothing in the schema is refused and never fetched: %s',
    (reference) => {
      const { message } = errorOf({ properties: { a: { type: 'string' }, b: { $ref: reference } } });

      expect(message).toContain(`at /properties/b/$ref: "${reference}" is nowhere in the schema, and nothing is fetched from outside`);
      expect(message).toContain('Put the schema under "$defs"');
    },
  );

  it('that nothing reaches does not matter', () => {
    expect(() => planSchema({ $defs: { unused: { $ref: 'https://example.com/' } }, example: { $ref: 5, pattern: '(?=x)' } })).not.toThrow();
  });

  it('finds a document that is given along', async () => {
    const documents = { 'https://example.com/count': { $defs: { count: { type: 'integer' } }, $ref: '#/$defs/count' } };
    const { check } = await compileSchema({ items: { $ref: 'https://example.com/count' } }, { documents });

    expect(check([1, 'x'])).toEqual({ ok: false, problem: '/1: expected integer, got "x"' });
  });

  it('finds an anchor and an identifier, and each reference is relative to the schema it stands in', async () => {
    const { check } = await compileSchema({
      $id: 'https://example.com/root.json',
      properties: { a: { $ref: '#word' }, b: { $ref: 'part.json' } },
      $defs: {
        word: { $anchor: 'word', type: 'string' },
        part: { $id: 'part.json', items: { $ref: '#/$defs/word' }, $defs: { word: { type: 'null' } } },
      },
    });

    expect(check({ a: 'x', b: [null] })).toEqual({ ok: true });
    expect(check({ a: 1, b: ['x'] })).toEqual({ ok: false, problem: '/a: expected string, got 1; /b/0: expected null, got "x"' });
  });
});

describe('a pattern that cannot be checked in bounded time', () => {
  it.each([
    ['^(?=.*a)', 'it looks ahead, "(?=...)"'],
    ['(?!a)', 'it looks ahead, "(?!...)"'],
    ['(a)\\1', 'it refers back to a group, "\\1"'],
    ['(?<n>a)\\k<n>', 'it refers back to a group, "\\k"'],
    ['a\\Z', '"\\Z" means nothing in an ECMA-262 pattern'],
  ])('is refused where it is written: %s', (pattern, reason) => {
    const { message, code } = errorOf({ properties: { a: { pattern } } });

    expect(code).toBe('bad_pattern');
    expect(message).toContain(`Tool "demo": the pattern ${JSON.stringify(pattern)} at /properties/a/pattern`);
    expect(message).toContain(reason);
    expect(message).toContain('check it inside the tool');
  });

  it('is refused as the name of patternProperties too', () => {
    expect(errorOf({ patternProperties: { '(?=a)': true } }).message).toContain('at /patternProperties/(?=a)');
  });

  it.each(['(', 'a{1,1001}', '[z-a]', '\\p{Nothing}'])('is refused when the engine cannot compile it: %s', async (pattern) => {
    const compiling = compileSchema({ items: { pattern } }, { subject: 'Tool "demo"' });

    await expect(compiling).rejects.toBeInstanceOf(ConfigError);
    await expect(compiling).rejects.toThrow(`Tool "demo": the pattern ${JSON.stringify(pattern)} at /items/pattern`);
  });
});
