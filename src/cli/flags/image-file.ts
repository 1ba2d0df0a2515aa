/** Pictures given at `--image`: read, told by their first bytes, and made image blocks. */
import { resolve } from 'node:path';
import { readRegularFile } from '../../node/read-regular-file.ts';
import { describeError } from '../../runtime/errors.ts';
import type { ImageBlock } from '../../runtime/schema/message.ts';
import { UsageError } from '../usage-error.ts';

/** Providers take less; this only keeps a wrong path from filling memory and recording. */
const MOST_BYTES = 20 * 1024 * 1024;

const SIGNATURES: readonly { readonly type: string; readonly at: number; readonly text: string }[] = [
  { type: 'image/png', at: 0, text: '\x89PNG\r\n\x1a\n' },
  { type: 'image/jpeg', at: 0, text: '\xff\xd8\xff' },
  { type: 'image/gif', at: 0, text: 'GIF8' },
  { type: 'image/webp', at: 8, text: 'WEBP' },
];

/** The picture as a block; a relative path is taken from `cwd`. Throws a `UsageError` that names the file when it is no PNG, JPEG, GIF or WebP, or too large. */
export async function imageBlock(flag: string, path: string, cwd: string): Promise<ImageBlock> {
  const bytes = await readRegularFile(resolve(cwd, path), MOST_BYTES).catch((error: unknown) => {
    throw new UsageError(`${flag} names ${path}, which ${describeError(error)}; expected a picture of up to 20 MB`);
  });
  const media_type = SIGNATURES.find(({ at, text }) => bytes.toString('latin1', at, at + text.length) === text)?.type;
  if (media_type === undefined) throw new UsageError(`${flag} names ${path}, which is no picture; expected PNG, JPEG, GIF or WebP`);
  return { type: 'image', media_type, data: bytes.toString('base64') };
}
