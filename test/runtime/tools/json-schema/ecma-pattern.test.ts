import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadPatternEngine } from '../../../../src/runtime/tools/json-schema/pattern-engine.ts';

const compile = await loadPatternEngine();

/** Characters on which the two syntaxes tend to disagree. */
const SAMPLES = [
  ...'aZ09_-./\\[]{}()^$|*+?!& \t\n\r\v\f\b\0',
  '\u00a0',
  '\u2028',
  '\u3000',
  '\ufeff',
  '\u180e',
  '\u200b',
  'é',
  'α',
  '١',
  '🙂',
  'ſ',
];

describe('a pattern in ECMA-262 syntax', () => {
  it.each([
    ...[
      '.',
      '\\s',
      '\\S',
      '\\d',
      '\\D',
      '\\w',
      '\\W',
      '[\\s]',
      '[^\\s]',
      '[\\S]',
      '[^\\S]',
      '[\\d\\s]',
      '[^]',
      '[]',
      '[.]',
      '[^.]',
      '\\.',
      '^.$',
    ],
    ...[
      '\\ud83d\\ude42',
      '\\u{1F642}',
      '\\u00e9',
      '\\xe9',
      '\\cJ',
      '\\0',
      '[\\b]',
      '\\/',
      '/',
      '[[]',
      '[[\\]]',
      '[a-z&&b]',
      '[\\-_]',
      '[\\]^]',
    ],
    ...[
      '\\p{L}',
      '\\P{L}',
      '\\p{Letter}',
      '\\p{Lu}',
      '\\p{Uppercase_Letter}',
      '\\p{gc=Nd}',
      '\\p{Script=Greek}',
      '\\p{sc=Latin}',
      '[\\p{L}\\p{N}]',
    ],
    ...['(?<name>a)', '(?:a|Z)', '(?<!a)Z', '^a?$', 'a|^$', '\\bZ\\b', '\\$', '\\^', '\\(', '🙂+', '[🙂é]', '^[^a]$', '(|a)Z'],
  ])('means the same as it does natively: %s', (pattern) => {
    const native = new RegExp(pattern, 'u');
    const matches = compile(pattern);

    const texts = [...SAMPLES, '', 'aZ', 'xZ', ' Z ', 'a\nZ', '🙂🙂', 'aa'];
    expect(texts.filter((text) => matches(text))).toEqual(texts.filter((text) => native.test(text)));
  });

  it('means the same as it does natively, for any mix of parts and texts', () => {
    const part = fc.constantFrom(
      'a',
      '.',
      '\\s',
      '\\S',
      '[\\sa]',
      '[^\\Sa]',
      '\\d',
      '\\w',
      '\\b',
      '(?:a|1)',
      '🙂',
      '[🙂-🙃]',
      '\\ud83d\\ude42',
      '^',
      '$',
    );
    const quantifier = fc.constantFrom('', '', '*', '+', '?', '{2}', '*?');
    const isAssertion = (text: string): boolean => ['^', '$', '\\b'].includes(text);
    const piece = fc.tuple(part, quantifier).map(([text, times]) => (isAssertion(text) ? text : text + times));
    const pattern = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''));
    const text = fc.array(fc.constantFrom(...SAMPLES, 'a', '1', '🙃'), { maxLength: 6 }).map((characters) => characters.join(''));

    fc.assert(
      fc.property(pattern, text, (source, input) => {
        expect(compile(source)(input)).toBe(new RegExp(source, 'u').test(input));
      }),
      { numRuns: 500 },
    );
  });

  it('may use what people write although the strict syntax forbids it', () => {
    expect(compile('^[\\w-.]+$')('a-b.c')).toBe(true);
    expect(compile('a\\_b\\@')('a_b@')).toBe(true);
    expect(compile('(?i)abc')('ABC')).toBe(true);
  });
});
