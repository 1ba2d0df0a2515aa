/** Reading a file that a person named: nothing that would wait, never end or fill the memory is opened. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isMissingFile, readRegularFile } from '../../src/node/read-regular-file.ts';
import { SteerloopError } from '../../src/runtime/errors.ts';
import { temporaryDirectory } from './recording/temporary-directory.ts';

const MEGABYTE = 1_048_576;

async function failure(path: string): Promise<unknown> {
  return readRegularFile(path, MEGABYTE).catch((error: unknown) => error);
}

describe('a file that a person named', () => {
  it('is read whole, up to the most bytes', async () => {
    const path = join(temporaryDirectory(), 'file');
    writeFileSync(path, Buffer.alloc(MEGABYTE, 7));
    expect((await readRegularFile(path, MEGABYTE)).equals(Buffer.alloc(MEGABYTE, 7))).toBe(true);
  });

  it.each<[string, string, (path: string) => void]>([
    ['nothing there', 'does not exist', () => {}],
    ['a directory', 'is a directory', (path) => mkdirSync(path)],
    ['a named pipe', 'is a named pipe and no regular file', (path) => execFileSync('mkfifo', [path])],
    ['one byte too many', 'is larger than 1 MB', (path) => writeFileSync(path, Buffer.alloc(MEGABYTE + 1))],
  ])('is refused in words that follow its path: %s', async (_what, words, prepare) => {
    const path = join(temporaryDirectory(), 'file');
    prepare(path);
    const error = await failure(path);
    expect(error).toBeInstanceOf(SteerloopError);
    expect(error).toMatchObject({ code: 'file_unreadable', message: words });
    expect(isMissingFile(error)).toBe(words === 'does not exist');
  });

  it('is refused when it is a device, a socket, or lies in what is no directory', async () => {
    const folder = temporaryDirectory();
    writeFileSync(join(folder, 'file'), '');
    const server = createServer().listen(join(folder, 'socket'));
    await once(server, 'listening');
    expect(await failure('/dev/zero')).toMatchObject({ message: 'is a device and no regular file' });
    expect(await failure(join(folder, 'socket'))).toMatchObject({ message: 'is a socket and no regular file' });
    expect(await failure(join(folder, 'file', 'below'))).toMatchObject({ message: 'does not exist' });
    server.close();
    await once(server, 'close');
  });
});
