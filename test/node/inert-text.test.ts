import { readFileSync } from 'node:fs';
import { array, assert, constantFrom, oneof, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InertStream, inertLine, inertText } from '../../src/node/inert-text.ts';
import { SHARED_FOLDER, SKIPPED, sharedPath, warnWhenSkipped } from '../support/shared-inputs.ts';

warnWhenSkipped('the case K1');

const DANGEROUS = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
const isSafe = (text: string) => !DANGEROUS.test(text.replace(/[\n\t]/g, ''));

describe('inert text', () => {
  it.each([
    ['a colour', '\u001b[31mred\u001b[0m', '␛[31mred␛[0m'],
    ['a clipboard write', '\u001b]52;c;cm0=\u0007', '␛]52;c;cm0=␇'],
    ['a title that never ends', '\u001b]0;owned', '␛]0;owned'],
    ['an eight-bit CSI', '\u009b2J', '\\x9b2J'],
    ['a line that overwrites itself', 'visible\rHIDDEN', 'visible␍HIDDEN'],
    ['backspaces and delete', 'a\b\b\u007f', 'a␈␈␡'],
    ['text that runs backwards', 'x\u202eexe.txt', 'x\\u202eexe.txt'],
    ['a line separator', 'a\u2028b', 'a\\u2028b'],
    ['half a character', 'a\ud83d', 'a\ufffd'],
  ])('shows %s without doing it', (_name, text, shown) => {
    expect(inertText(text)).toBe(shown);
  });

  it('keeps newlines, tabs, pictures and right-to-left text as they are', () => {
    const text = 'one\r\ntwo\tthree 👩‍👩‍👧 שלום';
    expect(inertText(text)).toBe('one\ntwo\tthree 👩‍👩‍👧 שלום');
  });

  it('gives one line where one line is asked for', () => {
    expect(inertLine('  a\n\n b\tc\u001b[2J \r\n')).toBe('a b c␛[2J');
  });

  it('is safe whatever the text, and the same however it was cut into pieces', () => {
    const piece = oneof(
      string({ unit: 'binary' }),
      constantFrom('\r', '\n', '\u001b', '\u001b[', ']0;', '\ud83d', '\ude42', '\u009d', 'a'),
    );
    assert(
      property(array(piece), (pieces) => {
        const stream = new InertStream();
        const streamed = pieces.map((text) => stream.push(text)).join('') + stream.end();
        expect(isSafe(streamed)).toBe(true);
        expect(streamed).toBe(inertText(pieces.join('')));
      }),
    );
  });

  it.skipIf(SHARED_FOLDER === undefined)(`leaves nothing alive of the case K1${SKIPPED}`, () => {
    const text = Buffer.from(readFileSync(sharedPath('cases', 'K1-payload.b64'), 'latin1'), 'base64').toString('utf8');
    expect(isSafe(text)).toBe(false);
    expect(isSafe(inertText(text))).toBe(true);
    expect(inertText(text)).toContain('HIDDEN');
  });
});
