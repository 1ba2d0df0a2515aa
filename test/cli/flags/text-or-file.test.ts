import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { imageBlock } from '../../../src/cli/flags/image-file.ts';
import { textOrFile } from '../../../src/cli/flags/text-or-file.ts';
import { UsageError } from '../../../src/cli/usage-error.ts';

let folder: string;
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'steerloop-flags-'));
  await writeFile(at('prompt.txt'), 'from a file\n');
  await writeFile(at('blank.txt'), ' \n');
  await writeFile(at('binary'), Buffer.from([0xff, 0xfe, 0x80]));
  await writeFile(at('dot.png'), Buffer.from('89504e470d0a1a0a00', 'hex'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('a text or a file', () => {
  it('is the text, what the file holds, or a text that begins with @', async () => {
    expect(await textOrFile('--user-prompt', 'plain', folder)).toBe('plain');
    expect(await textOrFile('--user-prompt', `@${at('prompt.txt')}`, folder)).toBe('from a file\n');
    expect(await textOrFile('--user-prompt', '@@handle says hi', folder)).toBe('@handle says hi');
  });

  it.each([
    ['@missing', 'which does not exist'],
    ['@blank.txt', 'is empty in'],
    ['@binary', 'which is not UTF-8 text'],
    ['@.', 'which is a directory'],
  ])('given as %s is refused by flag and file', async (value, message) => {
    const given = `@${at(value.slice(1))}`;
    await expect(textOrFile('--user-prompt', given, folder)).rejects.toThrow(UsageError);
    await expect(textOrFile('--user-prompt', given, folder)).rejects.toThrow(message);
    await expect(textOrFile('--user-prompt', given, folder)).rejects.toThrow('--user-prompt');
  });

  it('is refused when what it names never ends', async () => {
    await expect(textOrFile('--user-prompt', '@/dev/zero', folder)).rejects.toThrow('which is a device and no regular file');
  });

  it.each(['', '  \n', '@'])('is refused when it is %j', async (value) => {
    await expect(textOrFile('--user-prompt', value, folder)).rejects.toThrow(UsageError);
  });
});

it.each([
  ['a text', (path: string) => textOrFile('--user-prompt', `@${path}`, folder)],
  ['a picture', (path: string) => imageBlock('--image', path, folder)],
])('%s from a named pipe that nobody writes to is refused and not waited for', async (_what, read) => {
  const fifo = join(await mkdtemp(at('fifo-')), 'pipe');
  execFileSync('mkfifo', [fifo]);
  await expect(read(fifo)).rejects.toThrow(`${fifo}, which is a named pipe and no regular file`);
});

describe('a picture', () => {
  it('becomes a block of the type that its bytes tell', async () => {
    expect(await imageBlock('--image', at('dot.png'), folder)).toEqual({ type: 'image', media_type: 'image/png', data: 'iVBORw0KGgoA' });
  });

  it('is refused when it is none', async () => {
    await expect(imageBlock('--image', at('prompt.txt'), folder)).rejects.toThrow('which is no picture; expected PNG, JPEG, GIF or WebP');
    await expect(imageBlock('--image', at('missing.png'), folder)).rejects.toThrow('which does not exist');
    await expect(imageBlock('--image', folder, folder)).rejects.toThrow('which is a directory');
  });
});
