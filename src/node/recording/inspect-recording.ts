/** Looks at a file before a recording is written to it: whether it is one, and how it ends. */
import type { FileHandle } from 'node:fs/promises';
import { ConfigError } from '../../runtime/errors.ts';
import { parseLine } from '../../runtime/recording/parse-line.ts';

/** What a writer must know of the file. */
export interface InspectedRecording {
  /** In bytes. */
  readonly size: number;
  /** The last line has no line break. */
  readonly torn: boolean;
  /** The first line is a whole header. */
  readonly headed: boolean;
}

/** More than a header needs. */
const HEAD_BYTES = 65_536;
const HEADER_START = '{"type":"recording"';

/** Inspects an open file. Throws a `ConfigError` `not_a_recording` for a file that holds something else; nothing is changed. */
export async function inspectRecording(file: FileHandle, path: string): Promise<InspectedRecording> {
  const { size } = await file.stat();
  if (size === 0) return { size, torn: false, headed: false };
  const headed = isHeader(await firstLine(file), path);
  const last = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return { size, torn: last.buffer.toString('latin1') !== '\n', headed };
}

async function firstLine(file: FileHandle): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  const text = buffer.toString('utf8', 0, bytesRead);
  const end = text.indexOf('\n');
  return end === -1 ? text : text.slice(0, end);
}

/** True for a whole header, false for what a crash in the very first write leaves of one. */
function isHeader(line: string, path: string): boolean {
  const parsed = parseLine(line);
  if (parsed.ok && parsed.line.type === 'recording') return true;
  const torn = !parsed.ok && parsed.code === 'not_json' && (line.startsWith(HEADER_START) || HEADER_START.startsWith(line));
  if (torn) return false;
  throw new ConfigError(
    'not_a_recording',
    `${path} is there already and is no recording that this version can add to; give the path of a recording or of a new file.`,
  );
}
