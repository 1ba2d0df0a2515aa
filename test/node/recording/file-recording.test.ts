import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FileRecording, type Recording } from '../../../src/node/recording/file-recording.ts';
import { LineWriter } from '../../../src/node/recording/line-writer.ts';
import { openRecording } from '../../../src/node/recording/open-recording.ts';
import { readRecordingFile } from '../../../src/node/recording/read-recording-file.ts';
import { eventsOfRun } from '../../../src/runtime/recording/runs-of.ts';
import type { RunEvent } from '../../../src/runtime/schema/event.ts';
import { sampleRun, textDelta, warningEvent } from '../../runtime/recording/sample-events.ts';
import { temporaryDirectory } from './temporary-directory.ts';

async function newRecording(path = join(temporaryDirectory(), 'run.jsonl')): Promise<Recording> {
  const recording = await openRecording({ path, kind: 'chat' });
  onTestFinished(() => recording.close().catch(() => {}));
  return recording;
}

async function fullDisk(): Promise<Recording> {
  const file = await open('/dev/full', 'a');
  const recording = new FileRecording('/dev/full', new LineWriter(file, { path: '/dev/full', size: 0 }), { release: () => {} });
  onTestFinished(() => recording.close().catch(() => {}));
  return recording;
}

const outcome = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'ok',
    (error: unknown) => error,
  );
const unavailable = expect.objectContaining({ code: 'journal_unavailable' });

describe('a recording', () => {
  it('keeps the events of a run and the lines of a chat in order, streamed text merged', async () => {
    const recording = await newRecording();
    recording.appendLine({ type: 'chat_prompt', time: 1, text: 'where?' });
    for (const event of sampleRun()) recording.append(event);
    recording.append(textDelta('bye', { run_id: 'run_2' }));
    recording.appendLine({ type: 'chat_exit', time: 2, code: 0 });
    await recording.close();

    const { header, lines, warnings } = await readRecordingFile(recording.path);
    expect(header).toMatchObject({ kind: 'chat', steerloop: '0.0.1' });
    expect(warnings).toEqual([]);
    expect(lines.map((line) => line.type)).toEqual([
      'chat_prompt',
      ...sampleRun()
        .map((event) => event.type)
        .filter((type, index, all) => type !== 'text_delta' || all[index - 1] !== 'text_delta'),
      'text_delta',
      'chat_exit',
    ]);
    expect(lines.find((line) => line.type === 'text_delta')).toMatchObject({ text: 'In a.ts.', time: 1_080 });
  });

  it('has an event in the file when its commit resolves', async () => {
    const recording = await newRecording();

    for (const event of sampleRun()) {
      recording.append(event);
      if (!('seq' in event) || event.seq === undefined) continue;
      await recording.commit(event.seq, event.run_id);
      expect(eventsOfRun((await readRecordingFile(recording.path)).lines).at(-1)).toEqual(event);
    }
  });

  it('waits for everything, streamed text too, when a commit names no event', async () => {
    const recording = await newRecording();
    recording.append(textDelta('half a '));
    recording.append(textDelta('sentence'));

    await recording.commit();

    expect((await readRecordingFile(recording.path)).lines).toEqual([textDelta('half a sentence')]);
  });

  it('rejects a commit for an event that was never appended', async () => {
    const recording = await newRecording();
    recording.append(warningEvent(1));

    expect(await outcome(recording.commit(2, 'run_1'))).toEqual(unavailable);
    expect(await outcome(recording.commit(1, 'run_2'))).toEqual(unavailable);
    expect(await outcome(recording.commit(1, 'run_1'))).toBe('ok');
  });

  it('says at once of an event that is kept that it is, while later ones wait', async () => {
    const recording = await newRecording();
    recording.append(warningEvent(1));
    await recording.commit(1, 'run_1');
    recording.append(warningEvent(2));
    recording.append(warningEvent(3));

    const order: number[] = [];
    await Promise.all([3, 2, 1].map((seq) => recording.commit(seq, 'run_1').then(() => order.push(seq))));

    expect(order[0]).toBe(1);
  });

  it('keeps 10 000 events of two runs apart, and each journal reads its own from any seq on', async () => {
    const recording = await newRecording();
    const journals = { run_a: recording.journalFor('run_a'), run_b: recording.journalFor('run_b') };
    for (let seq = 1; seq <= 5_000; seq += 1) {
      const runs = Object.entries(journals);
      for (const [runId, journal] of seq % 2 === 0 ? runs : runs.reverse()) {
        recording.append(textDelta('x', { run_id: runId }));
        journal.append(warningEvent(seq, runId));
      }
      if (seq % 500 === 0) await journals.run_b.commit(seq);
    }

    for (const from of [1, 2, 256, 257, 258, 4_999, 5_000, 5_001]) {
      const read = await journals.run_a.read(from);
      expect(read.map((event) => event.seq)).toEqual(Array.from({ length: 5_001 - from }, (_, index) => from + index));
      expect(read.every((event) => event.run_id === 'run_a')).toBe(true);
    }
    expect(await journals.run_b.read(1)).toEqual(Array.from({ length: 5_000 }, (_, index) => warningEvent(index + 1, 'run_b')));
    expect((await readRecordingFile(recording.path)).warnings).toEqual([]);
  });

  it('reads and goes on with the journal of a run that another process began', async () => {
    const path = join(temporaryDirectory(), 'run.jsonl');
    const first = await newRecording(path);
    for (const seq of [1, 2, 3]) first.append(warningEvent(seq));
    await first.close();

    const journal = (await newRecording(path)).journalFor('run_1');
    expect((await journal.read(1)).map((event) => event.seq)).toEqual([1, 2, 3]);
    expect(await outcome(journal.commit(3))).toBe('ok');
    journal.append(warningEvent(4));
    await journal.commit(4);

    expect((await journal.read(2)).map((event) => event.seq)).toEqual([2, 3, 4]);
  });

  it('can still be read when it is closed', async () => {
    const recording = await newRecording();
    const journal = recording.journalFor('run_1');
    journal.append(warningEvent(1));
    await recording.close();

    expect(await journal.read(1)).toEqual([warningEvent(1)]);
    expect(await outcome(journal.commit(1))).toBe('ok');
  });

  it.skipIf(!existsSync('/dev/full'))('tells a full disk by its commits and its close, never by append (needs /dev/full)', async () => {
    const recording = await fullDisk();
    const journal = recording.journalFor('run_1');

    journal.append(warningEvent(1));
    expect(await outcome(journal.commit(1))).toEqual(unavailable);
    journal.append(warningEvent(2));
    recording.append(textDelta('x'));
    recording.appendLine({ type: 'chat_exit', time: 1, code: 0 });

    expect(await outcome(journal.commit(1))).toEqual(unavailable);
    expect(await outcome(journal.commit(2))).toEqual(unavailable);
    expect(await outcome(recording.commit())).toEqual(unavailable);
    expect(await outcome(journal.read(1))).toEqual(unavailable);
    expect(await outcome(recording.close())).toEqual(unavailable);
  });

  it('rejects commits for what is appended after close, and leaves the file as it was', async () => {
    const recording = await newRecording();
    recording.append(warningEvent(1));
    await recording.close();
    const before = readFileSync(recording.path, 'utf8');

    recording.append(warningEvent(2));

    expect(await outcome(recording.commit(2, 'run_1'))).toEqual(unavailable);
    expect(readFileSync(recording.path, 'utf8')).toBe(before);
  });

  it('frees its lock at close, also when the disk was full, and closes once', async () => {
    const recording = await newRecording();
    const folder = join(recording.path, '..');
    expect(readdirSync(folder).sort()).toEqual(['run.jsonl', 'run.jsonl.lock']);

    const closing = recording.close();
    expect(recording.close()).toBe(closing);
    await closing;
    expect(readdirSync(folder)).toEqual(['run.jsonl']);

    const removed = await newRecording(recording.path);
    rmSync(recording.path);
    removed.append(warningEvent(1));
    expect(await outcome(removed.close())).toEqual(unavailable);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('drops ephemeral events, counted, while more waits than its cap, and never a durable one', async () => {
    const recording = await newRecording();
    const large = 'x'.repeat(1_048_576);
    for (let seq = 1; seq <= 17; seq += 1) recording.append(warningEvent(seq, 'run_1', large));
    for (let count = 0; count < 5; count += 1) recording.append(textDelta(`lost ${count}`, { time: 7 }));
    recording.append(warningEvent(18));
    await recording.commit();
    recording.append(textDelta('seen'));
    await recording.close();

    const { lines } = await readRecordingFile(recording.path);
    const seqs = lines.map((line) => ('seq' in line ? line.seq : line.type));
    expect(seqs).toEqual([...Array.from({ length: 17 }, (_, index) => index + 1), 'status', 18, 'text_delta']);
    expect(lines.find((line) => line.type === 'status')).toMatchObject({ run_id: 'run_1', time: 7, code: 'events_lost', lost_events: 5 });
  });

  it('lets no hole in the journal go unnoticed when a durable event is no JSON, and leaves out an ephemeral one', async () => {
    const recording = await newRecording();
    const data = 1n as unknown as string;
    const custom: RunEvent = { type: 'custom', run_id: 'run_1', iteration: 1, time: 1, name: 'odd', data };
    recording.append(custom);
    recording.append(warningEvent(1));
    expect(await outcome(recording.commit(1, 'run_1'))).toBe('ok');

    recording.append(warningEvent(2, 'run_1', data));
    recording.append(warningEvent(3));

    expect(await outcome(recording.commit(2, 'run_1'))).toEqual(unavailable);
    expect(await outcome(recording.commit(3, 'run_1'))).toEqual(unavailable);
    expect((await readRecordingFile(recording.path)).lines).toEqual([warningEvent(1)]);
  });
});
