/** Shared case L1: a recording whose last line is torn, then more is appended. Read from STEERLOOP_SHARED, its keys adapted. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRecording } from '../../../src/node/recording/open-recording.ts';
import { readRecordingFile } from '../../../src/node/recording/read-recording-file.ts';
import { lineOf } from '../../../src/runtime/recording/line-of.ts';
import { replayRun } from '../../../src/runtime/recording/replay-run.ts';
import { eventsOfRun } from '../../../src/runtime/recording/runs-of.ts';
import type { DurableEvent, RunEvent } from '../../../src/runtime/schema/event.ts';
import { warningEvent } from '../../runtime/recording/sample-events.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const shared = process.env['STEERLOOP_SHARED'];
const caseFile = join(shared ?? '', 'cases', 'L1.jsonl');
const missing = shared === undefined || !existsSync(caseFile);
if (missing) console.warn('case L1 is skipped: STEERLOOP_SHARED names no folder with cases/L1.jsonl');

interface CaseLine {
  readonly seq: number;
  readonly t: number;
  readonly kind: string;
  readonly text?: string;
}

/** Each whole line of the case as an event that holds its content. */
function adapted(line: string): DurableEvent {
  const { seq, t, kind, text } = JSON.parse(line) as CaseLine;
  return { ...warningEvent(seq + 1, 'r1', text ?? kind), time: t };
}

describe.skipIf(missing)('case L1 (needs STEERLOOP_SHARED)', () => {
  it('fences the torn line, reads every whole one, warns with the line number and loses nothing behind it', async () => {
    const given = readFileSync(caseFile, 'utf8').split('\n');
    const torn = given.pop() ?? '';
    expect(torn).not.toBe('');
    const events = given.map(adapted);
    const path = join(temporaryDirectory(), 'L1.jsonl');
    const header = lineOf({ type: 'recording', version: 1, steerloop: '0.0.1', kind: 'run', time: 1 });
    writeFileSync(path, [header, ...events.map(lineOf), torn].join('\n'));

    const recording = await openRecording({ path, kind: 'run' });
    const journal = recording.journalFor('r1');
    const next = warningEvent(events.length + 1, 'r1', 'appended');
    journal.append(next);
    await journal.commit(next.seq);
    expect(await journal.read(1)).toEqual([...events, next]);
    await recording.close();

    const { lines, warnings } = await readRecordingFile(path);
    expect(lines).toEqual([...events, next]);
    expect(warnings.map(({ line, code }) => [line, code])).toEqual([[events.length + 2, 'not_json']]);
    const replayed: RunEvent[] = [];
    for await (const event of replayRun(eventsOfRun(lines), { speed: 0 }).events()) replayed.push(event);
    expect(replayed).toEqual([...events, next]);
  });
});
