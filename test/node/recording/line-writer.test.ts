import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LineWriter, type LineWriterOptions } from '../../../src/node/recording/line-writer.ts';
import { temporaryDirectory } from './temporary-directory.ts';

async function writerOf(path: string, options: Partial<LineWriterOptions> = {}): Promise<{ writer: LineWriter; file: FileHandle }> {
  const file = await open(path, 'a');
  const writer = new LineWriter(file, { path, size: 0, ...options });
  onTestFinished(() => writer.close().catch(() => {}));
  return { writer, file };
}

const outcome = (promise: Promise<void>): Promise<unknown> =>
  promise.then(
    () => 'kept',
    (error: unknown) => error,
  );
const unavailable = (detail: string) => expect.objectContaining({ code: 'journal_unavailable', message: expect.stringContaining(detail) });

describe('LineWriter', () => {
  it('writes lines in the order in which they were appended, however many wait', async () => {
    const path = join(temporaryDirectory(), 'file');
    const { writer } = await writerOf(path);
    const lines = Array.from({ length: 30_000 }, (_, index) => `${index} ${'čau 🙂'.repeat(index % 20)}`);

    for (const line of lines.slice(0, 20_000)) writer.append(line);
    await writer.kept(1);
    for (const line of lines.slice(20_000)) writer.append(line);
    await writer.kept();

    expect(readFileSync(path, 'utf8')).toBe(lines.map((line) => `${line}\n`).join(''));
    expect(writer.keptLines).toBe(30_000);
    expect(writer.backlogBytes).toBe(0);
  });

  it('says where each line begins, in bytes, behind what was there and the fence', async () => {
    const path = join(temporaryDirectory(), 'file');
    writeFileSync(path, 'torn 🙂');
    const { writer } = await writerOf(path, { size: Buffer.byteLength('torn 🙂'), torn: true });

    const offsets: number[] = [];
    for (const line of ['čau', '🙂', 'end']) {
      offsets.push(writer.nextOffset);
      await writer.kept(writer.append(line));
    }

    const bytes = readFileSync(path);
    expect(bytes.toString()).toBe('torn 🙂\nčau\n🙂\nend\n');
    expect(offsets.map((offset) => bytes.subarray(offset).toString().split('\n')[0])).toEqual(['čau', '🙂', 'end']);
  });

  it('has the bytes in the file when a line is kept, and says at once of a kept line that it is', async () => {
    const path = join(temporaryDirectory(), 'file');
    const { writer } = await writerOf(path, { sync: true });

    expect(writer.append('one')).toBe(1);
    expect(writer.append('two')).toBe(2);
    await writer.kept(2);
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');

    writer.append('three');
    const told: string[] = [];
    const three = writer.kept(3).then(() => told.push('three'));
    const two = writer.kept(2).then(() => told.push('two'));
    await two;
    expect(told).toEqual(['two']);
    await three;
  });

  it.skipIf(!existsSync('/dev/full'))(
    'rejects for a full disk, now and ever after, and writes nothing more (needs /dev/full)',
    async () => {
      const { writer } = await writerOf('/dev/full');

      writer.append('lost');
      const waiting = writer.kept();
      expect(await outcome(waiting)).toEqual(unavailable('/dev/full cannot be written: ENOSPC'));

      writer.append('lost too');
      expect(await outcome(writer.kept(1))).toEqual(unavailable('ENOSPC'));
      expect(await outcome(writer.kept(2))).toEqual(unavailable('ENOSPC'));
      expect(writer.backlogBytes).toBe(0);
      expect(await outcome(writer.close())).toEqual(unavailable('ENOSPC'));
    },
  );

  it('rejects when its descriptor was closed', async () => {
    const { writer, file } = await writerOf(join(temporaryDirectory(), 'file'));
    await file.close();

    writer.append('lost');

    expect(await outcome(writer.kept())).toEqual(unavailable('cannot be written'));
  });

  it('rejects when file or folder has been removed, since nobody could read what it wrote', async () => {
    const folder = join(temporaryDirectory(), 'folder');
    mkdirSync(folder);
    const { writer } = await writerOf(join(folder, 'file'));
    writer.append('kept');
    await writer.kept();

    rmSync(folder, { recursive: true });
    writer.append('lost');

    expect(await outcome(writer.kept())).toEqual(unavailable('has been removed'));
    expect(await outcome(writer.kept(1))).toEqual(unavailable('has been removed'));
  });

  it('writes what waits before it closes, and refuses lines that come after', async () => {
    const path = join(temporaryDirectory(), 'file');
    const { writer } = await writerOf(path);
    writer.append('one');
    writer.append('two');

    const closing = writer.close();
    expect(writer.close()).toBe(closing);
    writer.append('late');

    expect(await outcome(writer.kept(3))).toEqual(unavailable('closed'));
    await closing;
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
    expect(await outcome(writer.kept(2))).toBe('kept');
    expect(await outcome(writer.kept())).toEqual(unavailable('closed'));
  });
});
