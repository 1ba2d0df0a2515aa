/** Promise L10: keys that overlap, contain or repeat each other leave no part of themselves, in a text nor in any stream of it. */
import { describe, expect, it } from 'vitest';
import { Redactor } from '../../src/runtime/redactor.ts';

const CASES: readonly (readonly [what: string, keys: readonly string[], text: string, shown: string])[] = [
  ['one key', ['sk-12345678'], 'a sk-12345678 b sk-1', 'a [redacted] b sk-1'],
  [
    'a key that begins another',
    ['abcdefgh', 'abcdefghLONGER12'],
    'x abcdefghLONGER12 abcdefgh LONGER12',
    'x [redacted] [redacted] LONGER12',
  ],
  ['a key that ends another', ['SECRETSECRET', 'RETSECRETTAIL'], '<SECRETSECRETTAIL>', '<[redacted]>'],
  ['a key that begins in another', ['12345678abcd', 'abcdXYZW1234'], '<12345678abcdXYZW1234>', '<[redacted]>'],
  ['a key that begins in itself', ['abcabcabc'], '<abcabcabcabcabc>', '<[redacted]>'],
  ['a key that stands twice in a row', ['sk-12345678'], 'sk-12345678sk-12345678', '[redacted][redacted]'],
  ['a key that the mark holds', ['redacted', 'sk-12345678'], 'sk-12345678 redacted', '[redacted] [redacted]'],
];

describe('a text with keys', () => {
  it.each(CASES)('shows nothing of %s', (_what, keys, text, shown) => {
    expect(new Redactor(keys).text(text)).toBe(shown);
  });

  it.each(CASES)('shows nothing of %s in a stream, wherever it is cut', (_what, keys, text, shown) => {
    for (let first = 0; first <= text.length; first++) {
      for (let second = first; second <= text.length; second++) {
        const stream = new Redactor(keys).stream();
        const pieces = [text.slice(0, first), text.slice(first, second), text.slice(second)].map((piece) => stream.push(piece));
        expect(pieces.join('') + stream.flush()).toBe(shown);
      }
    }
    const byOne = new Redactor(keys).stream();
    expect([...text].map((character) => byOne.push(character)).join('') + byOne.flush()).toBe(shown);
  });

  it('holds back no more than a key could hide, however long a key repeats itself', () => {
    const stream = new Redactor(['aaaaaaaa']).stream();
    let shown = '';
    for (let count = 0; count < 1_000; count++) shown += stream.push('a');
    expect(shown).toBe('[redacted]');
    expect(stream.push('b') + stream.flush()).toBe('b');
  });
});
