import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findJsonError } from '../../../src/runtime/tools/json-error.ts';

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** JSON with a character taken out, put in or changed. */
const brokenJson = fc
  .tuple(
    fc.json(),
    fc.nat(),
    fc.constantFrom('', '"', '{', '}', '[', ']', ',', ':', '\\', 'u', '0', '-', '.', 'e', ' ', 'x', '\n'),
    fc.boolean(),
  )
  .map(([json, at, insert, cut]) => json.slice(0, at % (json.length + 1)) + insert + json.slice((at % (json.length + 1)) + (cut ? 1 : 0)));

describe('findJsonError', () => {
  it('finds an error exactly where the engine finds one', () => {
    fc.assert(
      fc.property(fc.oneof(brokenJson, fc.json(), fc.string()), (text) => {
        expect(findJsonError(text) === undefined).toBe(parses(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it('puts it at the end of a text that was cut', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (json, at) => {
        const cut = json.slice(0, at % json.length);
        fc.pre(!parses(cut));
        expect(findJsonError(cut)?.position).toBe(cut.length);
      }),
    );
  });

  it.each([
    ['', 0, 'a value'],
    ['{"{"p":1}', 4, '":"'],
    ['{p:1,}', 1, 'a property name in double quotes or "}"'],
    ['{"p":1,}', 7, 'a property name in double quotes'],
    ["{'p':1}", 1, 'a property name in double quotes or "}"'],
    ['{"a" 1}', 5, '":"'],
    ['[1 2]', 3, '"," or "]"'],
    ['[1,]', 3, 'a value'],
    ['[}', 1, 'a value or "]"'],
    ['{"a":01}', 6, '"," or "}"'],
    ['1.', 2, 'a digit'],
    ['nul', 3, 'null'],
    ['"a\nb"', 2, 'an escape instead of a control character'],
    ['"\\x"', 2, 'one of "\\/bfnrtu behind a backslash'],
    ['"\\u12"', 5, 'four hexadecimal digits behind \\u'],
    ['{} {}', 3, 'the end of the text'],
  ])('names the place and what belongs there: %j', (text, position, expected) => {
    expect(findJsonError(text)).toEqual({ position, expected });
  });

  it('takes a text of any depth', () => {
    expect(findJsonError('['.repeat(100_000))?.position).toBe(100_000);
    expect(findJsonError('['.repeat(100_000) + ']'.repeat(100_000))).toBeUndefined();
  });
});
