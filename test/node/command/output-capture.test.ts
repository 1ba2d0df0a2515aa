import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OutputCapture } from '../../../src/node/command/output-capture.ts';
import { shell, start } from './command-rig.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Feeds bytes to one stream of a capture, so many at a time. */
function capture(bytes: Uint8Array, capBytes: number, pieceBytes: number): { text: string; droppedBytes: number; streamed: string } {
  let streamed = '';
  const output = new OutputCapture(capBytes, (text) => {
    streamed += text;
  });
  const push = output.addStream();
  for (let at = 0; at < bytes.byteLength; at += pieceBytes) push(bytes.subarray(at, at + pieceBytes));
  return { ...output.finish(), streamed };
}

describe('Captured output', () => {
  it('is whole where it fits, in whatever pieces it came', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 5 }), (text, pieceBytes) => {
        expect(capture(bytesOf(text), 10_000, pieceBytes)).toEqual({ text, droppedBytes: 0, streamed: text });
      }),
    );
  });

  it('is a well-formed head within the cap, and counts every byte that it leaves out', () => {
    const unit = fc.constantFrom('a', 'ü', '€', '\u{1f642}');
    fc.assert(
      fc.property(
        fc.array(unit, { maxLength: 60 }),
        fc.integer({ min: 1, max: 80 }),
        fc.integer({ min: 1, max: 7 }),
        (letters, cap, pieceBytes) => {
          const text = letters.join('');

          const { text: kept, droppedBytes, streamed } = capture(bytesOf(text), cap, pieceBytes);

          expect(text.startsWith(kept)).toBe(true);
          expect(bytesOf(kept).byteLength).toBeLessThanOrEqual(cap);
          expect(bytesOf(kept).byteLength).toBeGreaterThan(Math.min(bytesOf(text).byteLength, cap) - 4);
          expect(bytesOf(kept).byteLength + droppedBytes).toBe(bytesOf(text).byteLength);
          expect(streamed).toBe(kept);
        },
      ),
    );
  });

  it('has no gap where a small character would fit behind one that did not', () => {
    const { text, droppedBytes } = capture(bytesOf('ab\u{1f642}c'), 4, 1);

    expect(text).toBe('ab');
    expect(droppedBytes).toBe(5);
  });

  it('shows bytes that are no UTF-8, and a character that never ended, as U+FFFD', () => {
    expect(capture(Uint8Array.of(0x61, 0xff, 0x62), 100, 1)).toMatchObject({ text: 'a\ufffdb', droppedBytes: 0 });
    expect(capture(Uint8Array.of(0x61, 0xf0, 0x9f), 100, 1)).toMatchObject({ text: 'a\ufffd', droppedBytes: 0 });
  });

  it('keeps a cap for binary data too', () => {
    const { text, droppedBytes } = capture(new Uint8Array(1_000).fill(0xff), 300, 100);

    expect(text).toBe('\ufffd'.repeat(100));
    expect(droppedBytes).toBeGreaterThanOrEqual(900);
  });

  it('decodes each stream on its own, so that a character cut by the other stream survives', () => {
    const output = new OutputCapture(100);
    const [out, err] = [output.addStream(), output.addStream()];

    out(bytesOf('€').subarray(0, 2));
    err(bytesOf('!'));
    out(bytesOf('€').subarray(2));

    expect(output.finish()).toEqual({ text: '!€', droppedBytes: 0 });
  });
});

describe('A flood', () => {
  it('is counted beyond the cap without a look at its bytes', () => {
    const output = new OutputCapture(3);
    const take = output.addStream();
    // Has a length and no bytes: whoever reads or keeps it fails.
    const unreadable = { byteLength: 65_536 } as Uint8Array;

    take(bytesOf('abcd'));
    for (let piece = 0; piece < 1_000; piece++) take(unreadable);

    expect(output.finish()).toEqual({ text: 'abc', droppedBytes: 65_536_001 });
  });

  it('on one line of 100 MB is drained, counted and not kept', async () => {
    const command = start(shell('head -c 100000000 /dev/zero | tr "\\0" x'), { maxOutputBytes: 1_000 });

    const { end, output } = await command.run;

    expect(end).toEqual({ how: 'exited', code: 0 });
    expect(output).toEqual({ text: 'x'.repeat(1_000), droppedBytes: 99_999_000 });
    expect(command.streamed).toHaveLength(1_000);
  });

  it('on stderr alone is drained as well', async () => {
    const { output } = await start(shell('head -c 5000000 /dev/zero | tr "\\0" e >&2'), { maxOutputBytes: 100 }).run;

    expect(output).toEqual({ text: 'e'.repeat(100), droppedBytes: 4_999_900 });
  });

  it('that never ends is ended like anything else', async () => {
    const command = start(['yes'], { maxOutputBytes: 1_000 });

    await command.printed('y\n'.repeat(500));
    command.abort('enough');

    const { output } = await command.run;
    expect(output.text).toBe('y\n'.repeat(500));
    await command.expectDead();
  });
});
