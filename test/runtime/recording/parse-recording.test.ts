import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineOf } from '../../../src/runtime/recording/line-of.ts';
import { parseRecording, parseRecordingLines } from '../../../src/runtime/recording/parse-recording.ts';
import type { RecordingHeader, RecordingLine } from '../../../src/runtime/schema/recording.ts';
import { sampleRun, textDelta, warningEvent } from './sample-events.ts';

const header: RecordingHeader = { type: 'recording', version: 1, steerloop: '0.0.1', kind: 'run', time: 1 };

function textOf(lines: readonly RecordingLine[]): string {
  return lines.map((line) => `${lineOf(line)}\n`).join('');
}

function oddities(text: string): [number, string][] {
  return parseRecording(text).warnings.map((warning) => [warning.line, warning.code]);
}

describe('parseRecording', () => {
  it('reads header, events and chat lines back as they were written', () => {
    const lines: RecordingLine[] = [
      { type: 'chat_prompt', time: 2, text: 'hello\nthere' },
      ...sampleRun(),
      { type: 'chat_exit', time: 3, code: 0 },
    ];

    expect(parseRecording(textOf([header, ...lines]))).toEqual({ header, lines, warnings: [] });
  });

  it('keeps the order of keys and keys it does not know, so that a line prints as it was written', () => {
    const written = '{"seq":1,"future":{"a":[1]},"type":"warning","run_id":"r","iteration":0,"time":5,"code":"c","message":"m"}';

    const [line] = parseRecording(`${lineOf(header)}\n${written}\n`).lines;

    expect(JSON.stringify(line)).toBe(written);
  });

  it('accepts unknown keys in settings and controls too, and still refuses a wrong value beside one', () => {
    const control = { type: 'control_received', run_id: 'r', iteration: 0, time: 1, control_id: 'k' };
    const later = { ...control, seq: 1, control: { type: 'stop', urgency: 'high' } };
    const wrong = { ...control, seq: 2, control: { type: 'stop', urgency: 'high', mode: 'sometime' } };

    const { lines, warnings } = parseRecording(`${lineOf(header)}\n${JSON.stringify(later)}\n${JSON.stringify(wrong)}\n`);

    expect(lines).toEqual([later]);
    expect(warnings).toEqual([
      { line: 3, code: 'wrong_shape', message: expect.stringContaining('line 3 is no valid control_received: control.mode:') },
    ]);
  });

  it('goes on behind each bad line and names its number and what is wrong', () => {
    const good = sampleRun().map(lineOf);
    const text = [
      lineOf(header),
      good[0],
      '{"type":"warning","run_id":"run_1","seq":2,"ti{"type":"warning"}',
      '{"type":"telepathy","run_id":"run_1"}',
      '',
      '{"type":"retry","run_id":"run_1","iteration":1,"time":1,"seq":7}',
      '[1,2]',
      '{"run_id":"run_1"}',
      ...good.slice(1),
    ].join('\n');

    const { lines, warnings } = parseRecording(`${text}\n`);

    expect(lines.map(lineOf)).toEqual(good);
    expect(warnings.map(({ line, code }) => [line, code])).toEqual([
      [3, 'not_json'],
      [4, 'unknown_type'],
      [6, 'wrong_shape'],
      [7, 'not_json'],
      [8, 'unknown_type'],
    ]);
    expect(warnings[1]?.message).toBe('line 4 has the unknown type "telepathy"');
  });

  it('says that a last line is torn, and reads one that only lacks its line break', () => {
    const text = textOf([header, warningEvent(1), warningEvent(2)]);

    expect(oddities(text.slice(0, -2))).toEqual([[3, 'torn']]);
    expect(parseRecording(text.slice(0, -1)).lines).toHaveLength(2);
    expect(oddities(text.slice(0, -1))).toEqual([]);
  });

  it('leaves out an event that comes again, silently when it is the same and with a warning when it is another', () => {
    const text = textOf([
      header,
      warningEvent(1),
      warningEvent(1),
      warningEvent(1, 'run_1', 'changed'),
      warningEvent(1, 'run_2'),
      warningEvent(2),
    ]);

    expect(parseRecording(text).lines).toEqual([warningEvent(1), warningEvent(1, 'run_2'), warningEvent(2)]);
    expect(oddities(text)).toEqual([[4, 'duplicate']]);
  });

  it('warns where events of a run are missing', () => {
    const { warnings } = parseRecording(textOf([header, warningEvent(1), warningEvent(4), warningEvent(5)]));

    expect(warnings).toEqual([{ line: 3, code: 'gap', message: 'line 3 follows a gap: run run_1 has no event from seq 2 to 3' }]);
  });

  it('never takes an event without seq for a duplicate', () => {
    expect(parseRecording(textOf([header, textDelta('a'), textDelta('a')])).lines).toHaveLength(2);
  });

  it('warns about a missing header and about one of a later version, and reads what it can', () => {
    const event = lineOf(warningEvent(1));

    expect(oddities('')).toEqual([[1, 'no_header']]);
    expect(oddities(`${event}\n`)).toEqual([[1, 'no_header']]);
    expect(parseRecording(`${event}\n`).lines).toHaveLength(1);
    expect(oddities(`{"type":"recording","version":2}\n${event}\n`)).toEqual([[1, 'unknown_version']]);
    expect(parseRecording(`{"type":"recording","version":2}\n${event}\n`).lines).toHaveLength(1);
  });

  it('takes the first header of joined files and passes over the others', () => {
    const text = textOf([header, warningEvent(1), { ...header, time: 9 }, warningEvent(1, 'run_2')]);

    expect(parseRecording(text)).toEqual({ header, lines: [warningEvent(1), warningEvent(1, 'run_2')], warnings: [] });
  });

  it('reads a file with a byte order mark and Windows line ends', () => {
    const text = `\uFEFF${textOf([header, warningEvent(1)]).replaceAll('\n', '\r\n')}`;

    expect(parseRecording(text)).toEqual({ header, lines: [warningEvent(1)], warnings: [] });
  });

  it('bounds the warnings of a file of another kind, and their length', () => {
    const { lines, warnings } = parseRecording(`${JSON.stringify({ type: 'x'.repeat(5_000) })}\n`.repeat(5_000));

    expect(lines).toEqual([]);
    expect(warnings).toHaveLength(101);
    expect(warnings.at(-1)).toEqual({ line: 5_000, code: 'more', message: '4900 more lines are odd' });
    expect(Math.max(...warnings.map((warning) => warning.message.length))).toBeLessThan(400);
  });

  it('survives lines that are nested too deeply to be written again', () => {
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    const call = `{"type":"tool_call","run_id":"r","iteration":1,"time":1,"seq":1,"call_id":"c","name":"n","arguments":${deep}}\n`;

    expect(oddities(textOf([header]) + call + call)).toEqual([[3, 'duplicate']]);
  });

  it('reads all whole lines wherever a recording is cut, with at most one warning', () => {
    const lines = [header, ...sampleRun(), warningEvent(1, 'run_2', 'line\u2028separator \ud83d\ude42 "quoted"')];
    const text = textOf(lines);

    fc.assert(
      fc.property(fc.integer({ min: 0, max: text.length }), (cut) => {
        const kept = text.slice(0, cut);
        const whole = lines.filter((_, index) => textOf(lines.slice(0, index + 1)).length <= cut + 1);

        const { header: read, lines: events, warnings } = parseRecording(kept);

        expect([read, ...events].filter((line) => line !== undefined)).toEqual(whole);
        expect(warnings.length).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('reads lines that come one by one as it reads a text', async () => {
    async function* lines() {
      yield { text: lineOf(header), ended: true };
      yield { tooLongBytes: 70_000_000 };
      yield { text: lineOf(warningEvent(1)), ended: true };
      yield { text: '{"type":', ended: false };
    }

    const { lines: read, warnings } = await parseRecordingLines(lines());

    expect(read).toEqual([warningEvent(1)]);
    expect(warnings.map(({ line, code }) => [line, code])).toEqual([
      [2, 'too_long'],
      [4, 'torn'],
    ]);
  });
});

describe('lineOf', () => {
  it('writes one line of well-formed text whatever the strings hold, which reads back the same', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('\ud800', '\udc00', '\u2028', '\u2029', '\n', '\r', '\u0000', ''),
        (text, odd) => {
          const event = warningEvent(1, 'run_1', text + odd + text);

          const line = lineOf(event);

          expect(line).not.toMatch(/[\n\r\u2028\u2029\ud800-\udbff](?![\udc00-\udfff])/);
          expect(new TextDecoder('utf-8', { fatal: true }).decode(new TextEncoder().encode(line))).toBe(line);
          expect(parseRecording(`${lineOf(header)}\n${line}\n`).lines).toEqual([event]);
        },
      ),
    );
  });
});
