import * as v from 'valibot';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { ConfigError } from '../../../src/runtime/errors.ts';
import type { JsonObject } from '../../../src/runtime/schema/json.ts';
import { defineTool } from '../../../src/runtime/tools/define-tool.ts';
import type { ToolContext } from '../../../src/runtime/tools/tool.ts';
import { toolsFrom } from '../../../src/runtime/tools/tools-from.ts';
import { thrownBy } from '../../support/thrown-by.ts';

const CONTEXT: ToolContext = { signal: new AbortController().signal, callId: 'c1', runId: 'r1', emit() {}, output() {}, child() {} };
const TRAITS = { name: 'demo', description: 'Shows.' };
const OBJECT = { type: 'object' } as const;

describe('a tool with a valibot schema', () => {
  const tool = defineTool({
    ...TRAITS,
    effect: 'read',
    input: v.object({
      city: v.pipe(v.string(), v.minLength(2), v.description('Where.')),
      days: v.optional(v.pipe(v.string(), v.transform(Number)), '3'),
    }),
    execute(input, { callId }) {
      expectTypeOf(input).toEqualTypeOf<{ city: string; days: number }>();
      return `${input.city} for ${input.days + 1} days (${callId})`;
    },
  });

  it('shows the model its JSON Schema', () => {
    expect(tool.definition).toEqual({
      ...TRAITS,
      effect: 'read',
      interruptible: true,
      input_schema: {
        type: 'object',
        properties: { city: { type: 'string', minLength: 2, description: 'Where.' }, days: { type: 'string', default: '3' } },
        required: ['city'],
      },
    });
  });

  it('runs with what the schema made of the arguments', async () => {
    const checked = await tool.check({ city: 'Rome' });

    expect(checked).toEqual({ ok: true, value: { city: 'Rome', days: 3 } });
    expect(checked.ok && tool.execute(checked.value, CONTEXT)).toBe('Rome for 4 days (c1)');
  });

  it('says where arguments do not fit, several at once', async () => {
    expect(await tool.check({ city: 'R', days: 5 })).toEqual({
      ok: false,
      problem: '/city: Invalid length: Expected >=2 but received 1; /days: Invalid type: Expected string but received 5',
    });
    expect(await tool.check({})).toEqual({ ok: false, problem: '/city: Invalid key: Expected "city" but received undefined' });
  });

  it('keeps what JSON Schema cannot say: checks, also asynchronous ones', async () => {
    const input = v.pipeAsync(
      v.objectAsync({ word: v.pipe(v.string(), v.regex(/^a+$/iu)) }),
      v.checkAsync(({ word }) => Promise.resolve(word !== 'aaa'), 'not that word'),
    );
    const checking = defineTool({ ...TRAITS, input, execute: ({ word }) => word });

    expect(checking.definition.input_schema).toEqual({ type: 'object', properties: { word: { type: 'string' } }, required: ['word'] });
    expect(await checking.check({ word: 'AA' })).toEqual({ ok: true, value: { word: 'AA' } });
    expect(await checking.check({ word: 'aaa' })).toEqual({ ok: false, problem: 'not that word' });
    expect((await checking.check({ word: 'b' })).ok).toBe(false);
  });

  it('counts own properties only', async () => {
    const own = defineTool({ ...TRAITS, input: v.object({ constructor: v.unknown() }), execute: () => 1 });

    expect((await own.check({})).ok).toBe(false);
    expect((await own.check({ constructor: 1 })).ok).toBe(true);
  });

  it('answers when the data is too deep, or a check of the schema throws', async () => {
    let deep: JsonObject = {};
    for (let level = 0; level < 20_000; level += 1) deep = { child: deep };
    const throwing = defineTool({
      ...TRAITS,
      input: v.pipe(
        v.looseObject({}),
        v.check(() => {
          throw new Error('broken check');
        }),
      ),
      execute: () => 1,
    });

    expect(await throwing.check(deep)).toEqual({ ok: false, problem: 'nested deeper than 200 levels; send flatter data' });
    expect(await throwing.check({})).toEqual({ ok: false, problem: 'cannot be checked: broken check' });
  });

  it.each([
    ['a date', v.object({ when: v.date() }), 'The "date" schema cannot be converted'],
    ['a top that is no object', v.string(), 'has type "string" at its top, expected "type": "object"'],
    ['a top of alternatives', v.variant('kind', [v.object({ kind: v.literal('a') })]), 'has no type at its top'],
  ])('is refused when a model cannot be shown it: %s', (_, input, message) => {
    const error = thrownBy(() => defineTool({ ...TRAITS, input, execute: () => 1 }));

    expect(error.message).toContain('Tool "demo": the input');
    expect(error.message).toContain(message);
  });
});

describe('a tool with a JSON Schema', () => {
  it('is careful by default: it writes, and is not interrupted', () => {
    const tool = defineTool({ ...TRAITS, input: OBJECT, execute: () => 1 });

    expect(tool.definition).toEqual({ ...TRAITS, effect: 'write', interruptible: false, input_schema: OBJECT });
    expect(Object.keys(tool).sort()).toEqual(['check', 'definition', 'execute', 'prepare']);
  });

  it('says the rest as it is told', () => {
    const told = { effect: 'idempotent', interruptible: true, confirm: true, timeoutMs: 5_000, resultCapBytes: 1_000 } as const;
    const tool = defineTool({ ...TRAITS, ...told, input: OBJECT, execute: () => 1 });

    expect(tool.definition).toMatchObject({ effect: 'idempotent', interruptible: true, confirm: true });
    expect(tool).toMatchObject({ timeoutMs: 5_000, resultCapBytes: 1_000 });
  });

  it('runs with the arguments as they were sent, typed as the caller says', async () => {
    const tool = defineTool<{ a: number }>({
      ...TRAITS,
      input: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
      execute: (input) => {
        expectTypeOf(input).toEqualTypeOf<{ a: number }>();
        return input.a + 1;
      },
    });
    const args = { a: 1, more: true };
    const checked = await tool.check(args);

    expect(checked.ok && checked.value).toBe(args);
    expect(checked.ok && tool.execute(checked.value, CONTEXT)).toBe(2);
    expect(await tool.check({})).toEqual({ ok: false, problem: 'missing required property "a"' });
  });

  it('has arguments typed as any JSON object otherwise', () => {
    defineTool({ ...TRAITS, input: OBJECT, execute: (input) => expectTypeOf(input).toEqualTypeOf<JsonObject>() });
  });

  it('keeps the schema as it was when it was defined', () => {
    const input = { type: 'object', properties: { a: { type: 'string' } } };
    const tool = defineTool({ ...TRAITS, input, execute: () => 1 });
    input.properties.a.type = 'number';

    expect(tool.definition.input_schema).toEqual({ type: 'object', properties: { a: { type: 'string' } } });
  });

  it('is refused where it is written when its schema is wrong', () => {
    const withInput =
      (input: Record<string, unknown>): (() => unknown) =>
      () =>
        defineTool({ ...TRAITS, input, execute: () => 1 });

    expect(thrownBy(withInput({ properties: {} })).message).toContain('Tool "demo": the input schema has no type at its top');
    expect(thrownBy(withInput({ ...OBJECT, required: 'a' })).message).toContain('Tool "demo": the schema is wrong at /required');
    expect(thrownBy(withInput({ ...OBJECT, $ref: 'https://example.com/' })).message).toContain('nothing is fetched');
    expect(thrownBy(withInput({ ...OBJECT, properties: { a: { pattern: '(?=a)' } } })).code).toBe('bad_pattern');
  });

  it('finds a pattern that does not compile when it prepares, or else at the first check', async () => {
    const input = { ...OBJECT, properties: { a: { pattern: '[' } } };
    const make = () => defineTool({ ...TRAITS, input, execute: () => 1 });
    const prepared = make();

    await expect(prepared.prepare?.()).rejects.toBeInstanceOf(ConfigError);
    await expect(prepared.prepare?.()).rejects.toThrow('Tool "demo": the pattern "[" at /properties/a/pattern');
    expect(await make().check({})).toEqual({
      ok: false,
      problem: expect.stringContaining('cannot be checked: Tool "demo": the pattern "["'),
    });
  });

  it('checks without waiting once it is prepared', async () => {
    const tool = defineTool({ ...TRAITS, input: OBJECT, execute: () => 1 });
    await tool.prepare?.();

    expect(tool.check({ a: 1 })).toEqual({ ok: true, value: { a: 1 } });
  });
});

describe('a timeout', () => {
  it('may be longer than a platform timer lasts: the timers of a run take any length', () => {
    expect(defineTool({ ...TRAITS, input: OBJECT, execute: () => 1, timeoutMs: 2 ** 31 }).timeoutMs).toBe(2 ** 31);
  });
});

describe('a definition that is wrong', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['its name', { name: 'no good' }, 'Tool "no good": providers refuse this name'],
    ['a name that is no text', { name: 5 }, 'Tool "(number)"'],
    ['no description', { description: undefined }, 'Tool "demo": expected a description'],
    ['no function', { execute: 'run' }, 'Tool "demo": expected a function execute(input, context)'],
    ['an effect that does not exist', { effect: 'delete' }, 'Tool "demo": effect: expected one of read, idempotent, write'],
    ['a flag that is none', { confirm: 'yes' }, 'Tool "demo": confirm: expected true or false'],
    ['no time at all', { timeoutMs: 0 }, 'Tool "demo": timeoutMs: expected a whole number of 1 or more; leave it out for the default'],
    ['a time in words', { timeoutMs: '20s' }, 'Tool "demo": timeoutMs: expected a whole number'],
    ['a cap without room', { resultCapBytes: 10 }, 'Tool "demo": resultCapBytes: expected a whole number of 64 or more'],
    ['a misspelled key', { timeout: 5 }, 'Tool "demo": unknown key "timeout"; known are name, description, input'],
  ])('is refused with the tool and what to do: %s', (_, wrong, message) => {
    const spec = { ...TRAITS, input: OBJECT, execute: () => 1, ...wrong };

    expect(thrownBy(() => defineTool(spec as never)).message).toContain(message);
  });
});

describe('toolsFrom', () => {
  it('makes one tool of each definition, all run by one function', async () => {
    const calls: unknown[] = [];
    const tools = toolsFrom(
      [
        { name: 'one', description: 'One.', input_schema: OBJECT, effect: 'read', timeoutMs: 10 },
        { name: 'two', description: 'Two.', input_schema: { ...OBJECT, required: ['a'] }, title: 'ignored' } as never,
      ],
      (name, args, context) => {
        calls.push([name, args, context.callId]);
        return name;
      },
    );
    const checked = await tools[1]?.check({ a: 1 });

    expect(tools.map((tool) => [tool.definition.name, tool.definition.effect, tool.timeoutMs])).toEqual([
      ['one', 'read', 10],
      ['two', 'write', undefined],
    ]);
    expect(checked?.ok && tools[1]?.execute(checked.value, CONTEXT)).toBe('two');
    expect(calls).toEqual([['two', { a: 1 }, 'c1']]);
    expect(await tools[1]?.check({})).toEqual({ ok: false, problem: 'missing required property "a"' });
  });
});
