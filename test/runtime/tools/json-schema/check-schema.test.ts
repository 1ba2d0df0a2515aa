import { format } from '@cfworker/json-schema';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileSchema } from '../../../../src/runtime/tools/json-schema/check-schema.ts';

async function problemOf(schema: unknown, value: unknown): Promise<string | undefined> {
  const { check } = await compileSchema(schema);
  const verdict = check(value);
  return verdict.ok ? undefined : verdict.problem;
}

function nested(levels: number): unknown {
  let value: unknown = {};
  for (let level = 1; level < levels; level += 1) value = { child: value };
  return value;
}

describe('own properties', () => {
  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'must be sent to count: %s is required and missing on {}',
    async (name) => {
      expect(await problemOf({ required: [name] }, {})).toBe(`missing required property "${name}"`);
      expect(await problemOf({ required: [name] }, JSON.parse(`{"${name}": 1}`))).toBeUndefined();
    },
  );

  it('are checked by name, also when they are called like something inherited', async () => {
    const schema = JSON.parse('{"properties": {"__proto__": {"type": "number"}, "constructor": {"type": "number"}}}');

    expect(await problemOf(schema, {})).toBeUndefined();
    expect(await problemOf(schema, JSON.parse('{"__proto__": "a", "constructor": "b"}'))).toBe(
      '/__proto__: expected number, got "a"; /constructor: expected number, got "b"',
    );
  });

  it('that are undeclared are refused by additionalProperties even when they are called like something inherited', async () => {
    const schema = { properties: { a: true }, additionalProperties: false };

    expect(await problemOf(schema, JSON.parse('{"__proto__": {"polluted": true}}'))).toBe('unknown property "__proto__", known are "a"');
    expect(await problemOf(schema, { constructor: 1 })).toBe('unknown property "constructor", known are "a"');
    expect(Object.getOwnPropertyNames({})).toEqual([]);
    expect('polluted' in {}).toBe(false);
  });

  it('decide dependencies and patterns too', async () => {
    expect(await problemOf({ dependentRequired: { toString: ['b'] } }, {})).toBeUndefined();
    expect(await problemOf({ patternProperties: { '^con': { type: 'number' } } }, {})).toBeUndefined();
    expect(await problemOf({ patternProperties: { '^con': { type: 'number' } } }, { constructor: 'x' })).toBe(
      '/constructor: expected number, got "x"',
    );
  });
});

describe('patterns', () => {
  it('that backtrack for ever elsewhere are checked at once', async () => {
    const text = `${'a'.repeat(50_000)}!`;

    expect(await problemOf({ pattern: '^(a+)+$' }, text)).toContain('expected a text that matches "^(a+)+$"');
    expect(await problemOf({ patternProperties: { '^(a+)+$': false } }, { [text]: 1 })).toBeUndefined();
    expect(await problemOf({ propertyNames: { pattern: '^(a|aa)+$' } }, { [text]: 1 })).toContain('is not allowed');
  });

  it('search anywhere in the text, by code points', async () => {
    expect(await problemOf({ pattern: 'b' }, 'abc')).toBeUndefined();
    expect(await problemOf({ pattern: '^.$' }, '🐲')).toBeUndefined();
    expect(await problemOf({ pattern: '^\\p{Letter}+$' }, 'élan')).toBeUndefined();
    expect(await problemOf({ pattern: '^a$' }, 'a\n')).toContain('expected a text that matches');
  });

  it('count for texts only', async () => {
    expect(await problemOf({ pattern: '^a$' }, 5)).toBeUndefined();
  });

  it('of several properties each bind the names they match', async () => {
    const schema = {
      properties: { foo: { minimum: 1 } },
      patternProperties: { '^f': { type: 'integer' }, o$: { maximum: 9 }, 'o+$': { multipleOf: 2 } },
      additionalProperties: { type: 'null' },
    };

    expect(await problemOf(schema, { foo: 4, fa: 1, other: null })).toBeUndefined();
    expect(await problemOf(schema, { foo: 11 })).toBe('/foo: expected 9 or less, got 11; /foo: expected a multiple of 2, got 11');
    expect(await problemOf(schema, { foo: -2 })).toBe('/foo: expected 1 or more, got -2');
    expect(await problemOf(schema, { fa: 'x', zoo: 4, other: 5 })).toBe('/fa: expected integer, got "x"; /other: expected null, got 5');
  });

  it('are told apart although they match the same names', async () => {
    const schema = { patternProperties: { a: { type: 'number' }, '[a]': { minimum: 5 } } };

    expect(await problemOf(schema, { a: 3 })).toBe('/a: expected 5 or more, got 3');
  });

  it('leave nothing of one check to the next, and nothing in the table of the library', async () => {
    const formats = Object.keys(format);
    const { check } = await compileSchema({ patternProperties: { '^a': { type: 'number' } }, additionalProperties: { pattern: '^x' } });

    expect(check({ ab: 1 })).toEqual({ ok: true });
    expect(check({ ab: 'no' })).toEqual({ ok: false, problem: '/ab: expected number, got "no"' });
    expect(check({ b: 'y' }).ok).toBe(false);
    expect(check({ b: 'xy' })).toEqual({ ok: true });
    expect(Object.keys(format)).toEqual(formats);
  });

  it('in data or under a property called pattern are no patterns', async () => {
    const schema = {
      properties: { pattern: { type: 'string' } },
      const: { pattern: '(?=x)' },
      examples: [{ pattern: '(?=x)' }],
      default: { pattern: '(?=x)' },
    };

    expect(await problemOf(schema, { pattern: '(?=x)' })).toBeUndefined();
    expect(await problemOf(schema, { pattern: 5 })).toContain('/pattern: expected string, got 5');
  });

  it('are checked behind a reference to an odd place as well', async () => {
    const schema = { $ref: '#/x-parts/word', 'x-parts': { word: { pattern: '^(a+)+$' } } };

    expect(await problemOf(schema, 'aaa')).toBeUndefined();
    expect(await problemOf(schema, `${'a'.repeat(5_000)}!`)).toContain('expected a text that matches');
  });
});

describe('uniqueItems', () => {
  it('takes very many items, and finds the one that repeats', async () => {
    const items = Array.from({ length: 20_000 }, (_, index) => ({ index, tags: [index] }));

    expect(await problemOf({ uniqueItems: true }, items)).toBeUndefined();
    expect(await problemOf({ uniqueItems: true }, [...items, { tags: [7], index: 7 }])).toContain('expected items that all differ');
  });

  it('is against the array it stands at, and no other', async () => {
    const schema = { properties: { ids: { uniqueItems: true }, free: true, both: { anyOf: [{ uniqueItems: true }, { maxItems: 2 }] } } };

    expect(await problemOf(schema, { free: [1, 1], both: [2, 2], ids: [1, '1', [1], { 0: 1 }, true, null, 'null'] })).toBeUndefined();
    expect(
      await problemOf(schema, {
        ids: [
          { a: 1, b: [2] },
          { b: [2], a: 1 },
        ],
      }),
    ).toBe('/ids: expected items that all differ, but some are equal');
    expect(await problemOf(schema, { both: [1, 1, 2] })).toContain('/both: fits none of 2 alternatives');
    expect(await problemOf(schema, { ids: 'aa' })).toBeUndefined();
    expect(await problemOf({ uniqueItems: false }, [1, 1])).toBeUndefined();
  });
});

describe('the draft', () => {
  it('is 2020-12 without $schema', async () => {
    expect(await problemOf({ $ref: '#/$defs/a', type: 'string', $defs: { a: { minLength: 2 } } }, 5)).toBe('expected string, got 5');
    expect(await problemOf({ prefixItems: [{ type: 'string' }] }, [5])).toBe('/0: expected string, got 5');
  });

  it('is draft 7 where $schema says so: a $ref hides what stands beside it', async () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $ref: '#/definitions/a',
      type: 'string',
      definitions: { a: { minimum: 2 } },
    };

    expect(await problemOf(schema, 5)).toBeUndefined();
    expect(await problemOf(schema, 1)).toBe('expected 2 or more, got 1');
  });

  it('makes format an annotation', async () => {
    expect(await problemOf({ format: 'date' }, 'yesterday')).toBeUndefined();
    expect(await problemOf({ format: '__proto__' }, 'text')).toBeUndefined();
    expect(await problemOf({ format: 'hasOwnProperty' }, 'text')).toBeUndefined();
  });
});

describe('data that is too much', () => {
  it.each([
    ['a schema that looks at none of it', { type: 'object' }],
    ['a schema that follows it down', { properties: { child: { $ref: '#' } } }],
    ['a schema of many steps a level', { allOf: [{ anyOf: [{ oneOf: [{ properties: { child: { $ref: '#' } } }] }] }] }],
  ])('gets an answer at 20,000 levels: %s', async (_, schema) => {
    expect(await problemOf(schema, nested(20_000))).toBe('nested deeper than 200 levels; send flatter data');
  });

  it('is checked at every depth that people use', async () => {
    expect(await problemOf({ properties: { child: { $ref: '#' } } }, nested(60))).toBeUndefined();
  });

  it('gets an answer when the stack ends before the cap', async () => {
    let wrapped: unknown = { properties: { child: { $ref: '#' } } };
    for (let level = 0; level < 40; level += 1) wrapped = { allOf: [wrapped] };

    expect(await problemOf(wrapped, nested(199))).toBe('nested too deep to be checked; send flatter data');
  });

  it('gets a short answer when very many items are wrong', async () => {
    const problem = await problemOf(
      { items: { type: 'string' } },
      Array.from({ length: 150_000 }, () => 1),
    );

    expect(problem).toMatch(/^\/0: expected string, got 1/u);
    expect(problem?.length).toBeLessThan(500);
  });

  it('gets an answer where it is no JSON at all', async () => {
    expect(await problemOf({ properties: { a: { type: 'number' } } }, { a: 5n })).toMatch(/^cannot be checked: /u);
    expect(await problemOf({ additionalProperties: { type: 'number' } }, { '\ud800': 1 })).toBeUndefined();
  });
});

describe('any JSON', () => {
  it('gets the same verdict twice, is left as it was, and is never answered by a throw', async () => {
    const { check } = await compileSchema({
      properties: { a: { type: 'integer' }, b: { items: { pattern: '^x' } } },
      patternProperties: { '^_': { type: ['object', 'array'] } },
      required: ['a'],
      additionalProperties: { anyOf: [{ type: 'string' }, { $ref: '#' }] },
    });

    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const before = JSON.stringify(value);
        const verdict = check(value);
        expect(check(value)).toEqual(verdict);
        expect(JSON.stringify(value)).toBe(before);
        if (!verdict.ok) expect(verdict.problem).not.toBe('');
      }),
    );
  });

  it('fits the schema that says exactly it, and not one that says something else', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 }), async (one, other) => {
        const isSame = sorted(one) === sorted(other);
        expect(await problemOf({ const: one }, one)).toBeUndefined();
        expect((await problemOf({ const: one }, other)) === undefined).toBe(isSame);
        expect((await problemOf({ enum: [one, 'other'] }, other)) === undefined).toBe(isSame || other === 'other');
        expect((await problemOf({ uniqueItems: true }, [one, other])) === undefined).toBe(!isSame);
      }),
      { numRuns: 60, examples: [[[], {}]] },
    );
  });
});

/** JSON text with keys in order, and with one zero. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : Object.is(item, -0)
        ? 0
        : item,
  );
}
