import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesOf } from '../../../src/node/recording/lines-of.ts';
import { readRecordingFile } from '../../../src/node/recording/read-recording-file.ts';
import { ConfigError } from '../../../src/runtime/errors.ts';
import { lineOf } from '../../../src/runtime/recording/line-of.ts';
import { parseRecording } from '../../../src/runtime/recording/parse-recording.ts';
import { sampleRun, warningEvent } from '../../runtime/recording/sample-events.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const header = lineOf({ type: 'recording', version: 1, steerloop: '0.0.1', kind: 'run', time: 1 });
const failure = (path: string): Promise<unknown> => readRecordingFile(path).catch((error: unknown) => error);

describe('readRecordingFile', () => {
  it('reads the file as parseRecording reads its text, torn and broken lines included', async () => {
    const path = join(temporaryDirectory(), 'run.jsonl');
    const text = `${header}\n{"type":"torn\n${sampleRun()
      .map((event) => `${lineOf(event)}\n`)
      .join('')}{"type":"wa`;
    writeFileSync(path, text);

    expect(await readRecordingFile(path)).toEqual(parseRecording(text));
    expect(parseRecording(text).warnings.map((warning) => warning.code)).toEqual(['not_json', 'torn']);
  });

  it('reads lines that are longer than one piece, also where a character lies across the border', async () => {
    const path = join(temporaryDirectory(), 'run.jsonl');
    const events = [1, 2, 3, 4].map((seq) => warningEvent(seq, 'run_1', `${'x'.repeat(seq)}${'🙂'.repeat(200_000)}`));
    writeFileSync(path, [header, ...events.map(lineOf)].map((line) => `${line}\n`).join(''));

    expect((await readRecordingFile(path)).lines).toEqual(events);
  });

  it('passes over a line above the cap with a warning, keeping none of it, and reads what follows', async () => {
    const path = join(temporaryDirectory(), 'run.jsonl');
    writeFileSync(path, `${header}\n`);
    for (let part = 0; part < 20; part += 1) appendFileSync(path, 'x'.repeat(100_000));
    appendFileSync(path, `\n${lineOf(warningEvent(1))}\n`);

    const { lines, warnings } = await readRecordingFile(path, { maxLineBytes: 1_000 });

    expect(lines).toEqual([warningEvent(1)]);
    expect(warnings).toEqual([{ line: 2, code: 'too_long', message: 'line 2 is left out: 2000000 bytes are more than a line may have' }]);
  });

  it.each<[string, string, (path: string) => void]>([
    ['that is not there', 'recording_not_found', () => {}],
    ['that is a directory', 'recording_unreadable', (path) => mkdirSync(path)],
    ['that is a named pipe', 'recording_unreadable', (path) => execFileSync('mkfifo', [path])],
  ])('refuses a path %s, and names it', async (_what, code, prepare) => {
    const path = join(temporaryDirectory(), 'run.jsonl');
    prepare(path);

    const error = await failure(path);

    expect(error).toBeInstanceOf(ConfigError);
    expect(error).toMatchObject({ code, message: expect.stringMatching(new RegExp(`${path}.*([Gg]ive|check) the path`)) });
  });

  it('gives no lines and a warning for each when the file holds something else', async () => {
    const path = join(temporaryDirectory(), 'run.jsonl');
    writeFileSync(path, Buffer.from([0xff, 0xfe, 0x0a, 0x00, 0x0a, 0x80]));

    const { lines, warnings } = await readRecordingFile(path);

    expect(lines).toEqual([]);
    expect(warnings.map((warning) => warning.line)).toEqual([1, 2, 3]);
  });
});

describe('linesOf', () => {
  it('gives the lines of any bytes, divided at line feeds only, from any place', async () => {
    const path = join(temporaryDirectory(), 'file');
    const piece = fc.constantFrom('a', '🙂', '\n', '\r', '\u2028', '');

    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 40 }), fc.nat(10), async (pieces, skip) => {
        const bytes = Buffer.from(pieces.join(''));
        writeFileSync(path, bytes);
        const rest = bytes.subarray(skip).toString();

        const lines: string[] = [];
        for await (const line of linesOf(path, { start: skip })) if ('text' in line) lines.push(`${line.text}${line.ended ? '\n' : ''}`);

        expect(lines.join('')).toBe(rest);
        expect(lines.every((line) => line !== '' && !line.slice(0, -1).includes('\n'))).toBe(true);
      }),
    );
  });
});
