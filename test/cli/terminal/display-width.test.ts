import { assert, integer, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayWidth, shortenToWidth } from '../../../src/cli/terminal/display-width.ts';

describe('display width', () => {
  it.each([
    ['plain', 5],
    ['日本', 4],
    ['🙂', 2],
    ['👩‍👩‍👧', 2],
    ['e\u0301', 1],
    ['', 0],
  ])('counts the columns of %j as %i', (text, columns) => {
    expect(displayWidth(text)).toBe(columns);
  });

  it('cuts by columns and marks the cut', () => {
    expect(shortenToWidth('abcdef', 6)).toBe('abcdef');
    expect(shortenToWidth('abcdef', 5)).toBe('abcd…');
    expect(shortenToWidth('日本語', 5)).toBe('日本…');
    expect(shortenToWidth('日本語', 4)).toBe('日…');
  });

  it('never cuts within a character', () => {
    expect(shortenToWidth('🙂🙂🙂', 4)).toBe('🙂…');
    expect(shortenToWidth('a👩‍👩‍👧b', 3)).toBe('a…');
  });

  it('bounds the line whatever the text', () => {
    assert(
      property(string({ unit: 'binary' }), integer({ min: 1, max: 40 }), (text, columns) => {
        const line = shortenToWidth(text, columns);
        expect(displayWidth(line)).toBeLessThanOrEqual(columns);
        expect(line).not.toMatch(/\p{Cs}/u);
      }),
    );
    expect(shortenToWidth(`a${'\u0301'.repeat(100_000)}`, 20).length).toBeLessThan(20);
  });
});
