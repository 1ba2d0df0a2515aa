/**
 * openRecording: opens the file of a recording for its one writer. Everything that can be wrong with place, file, link,
 * mode, lock or disk is found here, before a run starts. A file that is there is appended to: a torn last line is fenced
 * with a line break first, and a file of another kind is refused.
 */
import type { FileHandle } from 'node:fs/promises';
import { systemClock } from '../../runtime/default-ports.ts';
import { ConfigError, describeError } from '../../runtime/errors.ts';
import type { Clock } from '../../runtime/ports.ts';
import { lineOf } from '../../runtime/recording/line-of.ts';
import type { RecordingHeader } from '../../runtime/schema/recording.ts';
import { packageVersion } from '../package-version.ts';
import { FileRecording, type Recording } from './file-recording.ts';
import { inspectRecording } from './inspect-recording.ts';
import { LineWriter } from './line-writer.ts';
import { takePidLock } from './pid-lock.ts';
import { followOwnLink, makePrivate, openOwnFile } from './private-file.ts';
import { placeRecording } from './recording-place.ts';

/** Options of `openRecording`. */
export interface OpenRecordingOptions {
  /** A file that ends in `.jsonl`, or a directory for a new one. Left out: `run-recordings/` under the repository root. */
  readonly path?: string;
  /** Where relative paths and the search for the repository root begin; default the working directory. */
  readonly cwd?: string;
  readonly kind: RecordingHeader['kind'];
  readonly clock?: Clock;
  /** Whether `commit` waits for the disk (`fdatasync`), so that a power cut loses nothing. Default false: a crash of the process loses nothing. */
  readonly sync?: boolean;
}

/**
 * Opens a recording; file 0600, directories it makes 0700. Throws a `ConfigError`: `recording_path` (neither file nor
 * directory, or another user's), `recording_link`, `recording_locked` (another process writes it), `not_a_recording`,
 * `recording_unavailable` (what the file system said).
 */
export async function openRecording(options: OpenRecordingOptions): Promise<Recording> {
  try {
    const given = await placeRecording(options.path, options.cwd ?? process.cwd(), options.clock ?? systemClock);
    const path = await followOwnLink(given);
    return await openLocked(path, path !== given, options);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const where = options.path ?? 'in run-recordings/';
    throw new ConfigError('recording_unavailable', `The recording ${where} cannot be opened: ${describeError(error)}. Give another path.`, {
      cause: error,
    });
  }
}

async function openLocked(path: string, viaLink: boolean, options: OpenRecordingOptions): Promise<Recording> {
  const lock = takePidLock(path);
  let file: FileHandle | undefined;
  try {
    file = await openOwnFile(path, viaLink);
    const { size, torn, headed } = await inspectRecording(file, path);
    // Only now: the mode of a file that is no recording is not ours to change.
    await makePrivate(file, path);
    const writer = new LineWriter(file, { path, size, torn, sync: options.sync ?? false });
    if (!headed) writer.append(lineOf(newHeader(options)));
    await writer.kept();
    return new FileRecording(path, writer, lock);
  } catch (error) {
    lock.release();
    await file?.close();
    throw error;
  }
}

function newHeader({ kind, clock = systemClock }: OpenRecordingOptions): RecordingHeader {
  return { type: 'recording', version: 1, steerloop: packageVersion(), kind, time: clock.now() };
}
