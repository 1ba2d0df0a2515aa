import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { capText, cutText, LEAST_CAP_BYTES, utf8Bytes, wellFormed } from '../../../src/runtime/tools/cut-text.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom('a', 'é', '€', '🙂', '\ud800', '\udc00', '\ufeff', '\n')).map((characters) => characters.join('')),
);
const LONE_SURROGATE = /\p{Surrogate}/u;
const encoded = (text: string): number => new TextEncoder().encode(text).length;

describe('cutText', () => {
  it('keeps as many whole characters as fit, and counts the rest', () => {
    fc.assert(
      fc.property(anyText, fc.nat(40), (text, cap) => {
        const cut = cutText(text, cap);
        const next = [...wellFormed(text)][[...cut.text].length];

        expect(cut.text).not.toMatch(LONE_SURROGATE);
        expect(wellFormed(text).startsWith(cut.text)).toBe(true);
        expect(encoded(cut.text)).toBeLessThanOrEqual(cap);
        expect(encoded(cut.text) + cut.droppedBytes).toBe(encoded(text));
        if (next !== undefined) expect(encoded(cut.text + next)).toBeGreaterThan(cap);
      }),
    );
  });

  it('takes a text of a hundred megabytes', () => {
    const text = `🙂${'x'.repeat(100_000_000)}`;

    expect(cutText(text, 6)).toEqual({ text: '🙂xx', droppedBytes: 99_999_998 });
  });

  it.each([0, -1, Number.NaN])('keeps nothing at a cap of %d', (cap) => {
    expect(cutText('abc', cap)).toEqual({ text: '', droppedBytes: 3 });
  });
});

describe('utf8Bytes', () => {
  it('counts what an encoder would write, across the pieces of a long text', () => {
    fc.assert(
      fc.property(anyText, fc.nat(3), (text, shift) => {
        const long = 'x'.repeat(16_384 - shift) + text + '🙂'.repeat(9_000) + text;
        expect(utf8Bytes(long)).toBe(encoded(long));
      }),
      { numRuns: 30 },
    );
  });
});

describe('capText', () => {
  it('stays within every cap, well-formed, and says how much is missing', () => {
    const text = '🙂'.repeat(1_000);

    for (let cap = LEAST_CAP_BYTES; cap < 1_100; cap += 1) {
      const capped = capText(text, cap);
      expect(encoded(capped.text)).toBeLessThanOrEqual(cap);
      expect(capped.text).not.toMatch(LONE_SURROGATE);
      expect(capped.text).toMatch(new RegExp(`^(🙂)+\n\\[${capped.droppedBytes} bytes left out\\]$`, 'u'));
      expect(encoded(capped.text.replace(/\n.*$/u, '')) + capped.droppedBytes).toBe(4_000);
    }
  });

  it('leaves a text that fits as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 15 }), (text) => {
        fc.pre(encoded(text) <= LEAST_CAP_BYTES);
        expect(capText(text, LEAST_CAP_BYTES)).toEqual({ text, droppedBytes: 0 });
      }),
    );
  });

  it('takes a smaller cap for the least one', () => {
    expect(capText('x'.repeat(100), 1)).toEqual(capText('x'.repeat(100), LEAST_CAP_BYTES));
    expect(capText('x'.repeat(100), 1).text).toMatch(/^x+\n\[\d+ bytes left out\]$/u);
  });
});
