import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { ToolError } from '../../../src/runtime/errors.ts';
import { resultContentSchema } from '../../../src/runtime/schema/message.ts';
import { IMAGE_CAP_BYTES } from '../../../src/runtime/tools/cap-blocks.ts';
import { ToolOutput } from '../../../src/runtime/tools/tool-output.ts';
import { errorResult, type ToolResult, toToolResult } from '../../../src/runtime/tools/tool-result.ts';

const PNG = { type: 'image', media_type: 'image/png', data: 'iVBORw0KGgo=' } as const;

const LONE_SURROGATE = /\p{Surrogate}/u;

function textOf(result: ToolResult): string {
  return result.content.map((block) => (block.type === 'text' ? block.text : `<${block.type}>`)).join('|');
}

function encoded(result: ToolResult): number {
  return new TextEncoder().encode(result.content.map((block) => (block.type === 'text' ? block.text : '')).join('')).length;
}

function cycle(): unknown {
  const value: { name: string; self?: unknown } = { name: 'loop' };
  value.self = value;
  return value;
}

class BadJson {
  toJSON(): never {
    throw new Error('no JSON today');
  }
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

describe('a value that a tool returns', () => {
  it.each<[string, unknown, string]>([
    ['undefined', undefined, '(no output)'],
    ['null', null, '(no output)'],
    ['an empty text', '', '(no output)'],
    ['an empty list', [], '(no output)'],
    ['white space', ' \n', '(only white space)'],
    ['a text', 'hello\n', 'hello\n'],
    ['0', 0, '0'],
    ['false', false, 'false'],
    ['a bigint', 10n, '10'],
    ['NaN', Number.NaN, 'NaN'],
    ['a symbol', Symbol('mark'), 'Symbol(mark)'],
    ['a function', function lookUp() {}, '[function lookUp]'],
    ['a function without a name', (() => () => {})(), '[function]'],
    ['an object', { a: [1, 'x', null, undefined], b: undefined }, '{"a":[1,"x",null,null]}'],
    ['an empty object', {}, '{}'],
    ['a bigint within', { n: 10n, nan: Number.NaN }, '{"n":"10","nan":"NaN"}'],
    ['a cycle', cycle(), '{"name":"loop","self":"[circular]"}'],
    ['the same object twice', ((same) => [same, same])({ a: 1 }), '[{"a":1},{"a":1}]'],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['an invalid date', new Date(Number.NaN), '[invalid date]'],
    ['a map', new Map([['a', 1]]), '[["a",1]]'],
    ['a set', new Set([1, 2]), '[1,2]'],
    ['binary data', { file: new Uint8Array(3) }, '{"file":"[3 bytes of binary data]"}'],
    ['a regular expression', { find: /a+/g }, '{"find":"/a+/g"}'],
    ['a promise within', { later: Promise.resolve() }, '{"later":"[promise]"}'],
    [
      'an instance',
      new (class Point {
        x = 1;
        move(): void {}
      })(),
      '{"x":1}',
    ],
    ['a toJSON that throws', new BadJson(), '[cannot be shown: no JSON today]'],
    [
      'a getter that throws',
      {
        ok: 1,
        get bad(): never {
          throw new Error('no');
        },
      },
      '{"ok":1,"bad":"[cannot be read: no]"}',
    ],
    ['a revoked proxy', { gone: revoked() }, '{"gone":"[cannot be shown: '],
    ['an error within', { failed: new RangeError('too far') }, '{"failed":"RangeError: too far"}'],
    ['own __proto__', JSON.parse('{"__proto__":{"a":1}}'), '{"__proto__":{"a":1}}'],
  ])('becomes one non-empty text and no error: %s', (_, value, text) => {
    const result = toToolResult(value);

    expect(textOf(result).startsWith(text)).toBe(true);
    if (!text.endsWith(': ')) expect(textOf(result)).toBe(text);
    expect(result.content).toHaveLength(1);
    expect(result).not.toHaveProperty('dropped_bytes');
    expect(result.is_error).toBe(false);
  });

  it('is explained when it is a revoked proxy as a whole', () => {
    expect(textOf(toToolResult(revoked()))).toMatch(/^\[cannot be shown: /u);
  });

  it('may hold no end of objects: depth and number are bounded', () => {
    const endless: ProxyHandler<object> = {
      ownKeys: () => ['a', 'b'],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
      get: () => new Proxy({}, endless),
    };

    expect(textOf(toToolResult(new Proxy({}, endless)))).toContain('bytes left out]');
    expect(textOf(toToolResult(new Array(1_000_000)))).toContain('bytes left out]');
    expect(textOf(toToolResult(new Array(300_000), { capBytes: 10_000_000 }))).toMatch(/,null,"\[more values left out\]"\]$/u);
  });

  it('is cut at the cap and says how much is missing: five megabytes', () => {
    const result = toToolResult({ log: 'x'.repeat(5_000_000) });

    expect(encoded(result)).toBeLessThanOrEqual(65_536);
    expect(result.dropped_bytes).toBeGreaterThan(4_900_000);
    expect(textOf(result)).toContain(`\n[${result.dropped_bytes} bytes left out]`);
    expect(result.is_error).toBe(false);
  });

  it('is cut between two characters at every cap', () => {
    const text = '🙂'.repeat(1_000);

    for (const capBytes of [1000, 1001, 1002, 1003]) {
      const result = toToolResult(text, { capBytes });
      expect(encoded(result)).toBeLessThanOrEqual(capBytes);
      expect(textOf(result)).not.toMatch(LONE_SURROGATE);
      expect(textOf(result)).toContain(`[${result.dropped_bytes} bytes left out]`);
    }
  });

  it('loses its lone surrogates', () => {
    expect(textOf(toToolResult('a\ud83d b'))).toBe('a\ufffd b');
  });

  it('is valid content within its cap, whatever it is', () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withNullPrototype: true,
      withSparseArray: true,
    });

    fc.assert(
      fc.property(anything, fc.integer({ min: 64, max: 300 }), (value, capBytes) => {
        const result = toToolResult(value, { capBytes });
        expect(result.content.length).toBeGreaterThan(0);
        expect(encoded(result)).toBeLessThanOrEqual(capBytes);
        for (const block of result.content) {
          expect(v.is(resultContentSchema, block)).toBe(true);
          if (block.type === 'text') expect(block.text).not.toMatch(LONE_SURROGATE);
          if (block.type === 'text') expect(block.text).toMatch(/\S/u);
        }
      }),
    );
  });
});

describe('result content that a tool made itself', () => {
  it.each<[string, unknown]>([
    ['a list of blocks', [{ type: 'text', text: 'a' }, PNG]],
    ['a ToolOutput', new ToolOutput([{ type: 'text', text: 'a' }, PNG])],
    [
      'an MCP answer',
      {
        content: [
          { type: 'text', text: 'a' },
          { type: 'image', data: PNG.data, mimeType: 'image/png' },
        ],
        _meta: { a: 1 },
      },
    ],
  ])('keeps its blocks: %s', (_, value) => {
    expect(toToolResult(value)).toEqual({ content: [{ type: 'text', text: 'a' }, PNG], is_error: false });
  });

  it('says by itself whether it is an error', () => {
    expect(toToolResult(new ToolOutput('exit code 3', { isError: true, droppedBytes: 7 }))).toEqual({
      content: [{ type: 'text', text: 'exit code 3' }],
      is_error: true,
      dropped_bytes: 7,
    });
    expect(toToolResult({ content: [], isError: true })).toEqual({
      content: [{ type: 'text', text: '(failed without any output)' }],
      is_error: true,
    });
    expect(toToolResult('all is well', { isError: true }).is_error).toBe(true);
  });

  it('loses blank texts, and is never empty', () => {
    expect(toToolResult([{ type: 'text', text: ' ' }, PNG]).content).toEqual([PNG]);
    expect(toToolResult(new ToolOutput('')).content).toEqual([{ type: 'text', text: '(no output)' }]);
    expect(toToolResult(new ToolOutput([])).content).toEqual([{ type: 'text', text: '(no output)' }]);
  });

  it('carries nothing foreign along', () => {
    expect(toToolResult([{ type: 'text', text: 'a', provider: 'x', provider_data: { a: 1 }, annotations: {} }]).content).toEqual([
      { type: 'text', text: 'a' },
    ]);
  });

  it('shows what it cannot keep as a block', () => {
    const answer = {
      content: [
        { type: 'resource', resource: { uri: 'file:///a', text: 'inside' } },
        { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
        { type: 'image', data: 'no base64!', mimeType: 'image/png' },
        { type: 'image' },
      ],
    };

    expect(textOf(toToolResult(answer))).toBe(
      'inside|{"type":"audio","data":"AAAA","mimeType":"audio/wav"}|[image left out: its data is not base64]|' +
        '[image left out: it needs url, or data (base64) and media_type]',
    );
    expect(textOf(toToolResult({ content: [], structuredContent: { a: 1 } }))).toBe('{"a":1}');
  });

  it('is data like any other when it only resembles content', () => {
    expect(textOf(toToolResult([{ type: 'text', text: 5 }]))).toBe('[{"type":"text","text":5}]');
    expect(textOf(toToolResult({ content: [{ type: 'text', text: 'a' }], title: 'b' }))).toContain('"title":"b"');
    expect(textOf(toToolResult({ content: 'a' }))).toBe('{"content":"a"}');
  });

  it('has one cap for all its texts, and pictures do not count against it', () => {
    const big = { ...PNG, data: 'A'.repeat(400_000) };
    const texts = ['a', 'b', 'c'].map((letter) => ({ type: 'text', text: letter.repeat(100) }));
    const result = toToolResult([texts[0], big, texts[1], texts[2]], { capBytes: 160 });

    expect(result.content[1]).toEqual(big);
    expect(encoded(result)).toBeLessThanOrEqual(160);
    expect(textOf(result)).toMatch(/^a{100}\|<image>\|b+\n\[\d+ bytes left out\]$/u);
    expect(result.dropped_bytes).toBe(300 - (textOf(result).match(/[ab](?=[ab\n|])/gu) ?? []).length);
  });

  it('leaves out pictures over their own cap, and says so', () => {
    const half = { ...PNG, data: 'A'.repeat(IMAGE_CAP_BYTES / 2 + 4) };
    const result = toToolResult([half, half, PNG]);

    expect(result.content[0]).toEqual(half);
    expect(result.content[1]).toEqual({ type: 'text', text: expect.stringMatching(/^\[image left out: its \d+ bytes go over the cap/u) });
    expect(result.content[2]).toEqual(PNG);
    expect(result.dropped_bytes).toBe(half.data.length);
  });
});

describe('what a tool throws', () => {
  it.each<[string, unknown, string]>([
    ['an error', new TypeError('x is not a function'), 'TypeError: x is not a function'],
    ['an error without a message', new RangeError(''), 'RangeError'],
    ['an error with a code', Object.assign(new Error('gone'), { code: 'ENOENT' }), 'Error (ENOENT): gone'],
    ['an error whose message has the code', Object.assign(new Error('ENOENT: gone'), { code: 'ENOENT' }), 'Error: ENOENT: gone'],
    ['an error with a cause', new Error('outer', { cause: new Error('inner') }), 'Error: outer\ncaused by Error: inner'],
    ['our own error', new ToolError('no such city'), 'no such city'],
    ['a text', 'went wrong', 'went wrong'],
    ['an empty text', '', 'an empty text was thrown'],
    ['undefined', undefined, 'undefined'],
    ['an object', { status: 404 }, '{"status":404}'],
    ['a cycle', cycle(), '[object Object]'],
    [
      'something that hides',
      new Proxy(new Error('x'), {
        get: () => {
          throw new Error('hidden');
        },
      }),
      'an error that cannot be shown',
    ],
  ])('becomes an error result: %s', (_, thrown, text) => {
    expect(errorResult(thrown)).toEqual({ content: [{ type: 'text', text }], is_error: true });
  });

  it('is the same when it is returned instead', () => {
    const error = Object.assign(new Error('gone'), { code: 'ENOENT' });

    expect(toToolResult(error)).toEqual(errorResult(error));
  });

  it('is cut at the cap', () => {
    const result = errorResult(new Error('x'.repeat(100_000)), { capBytes: 1_000 });

    expect(encoded(result)).toBeLessThanOrEqual(1_000);
    expect(result.is_error).toBe(true);
  });
});
