/** Reads recordings from files: a whole one, or the events of one run from a place on. */
import { ConfigError, describeError, SteerloopError } from '../../runtime/errors.ts';
import { parseLine } from '../../runtime/recording/parse-line.ts';
import { parseRecordingLines } from '../../runtime/recording/parse-recording.ts';
import type { ParsedRecording } from '../../runtime/recording/recording-reader.ts';
import { type DurableEvent, isDurable } from '../../runtime/schema/event.ts';
import { assertRegularFile, isMissingFile } from '../read-regular-file.ts';
import { linesOf } from './lines-of.ts';

/** Options of `readRecordingFile`. */
export interface ReadRecordingOptions {
  /** Lines of more bytes are left out with a warning; default 64 MiB. */
  readonly maxLineBytes?: number;
}

/**
 * Reads a recording, whoever is writing it. What cannot be read of it is a warning. Throws a `ConfigError`:
 * `recording_not_found`, or `recording_unreadable` when it is no regular file or may not be read.
 */
export async function readRecordingFile(path: string, options: ReadRecordingOptions = {}): Promise<ParsedRecording> {
  try {
    await assertRegularFile(path);
    return await parseRecordingLines(linesOf(path, options));
  } catch (error) {
    if (isMissingFile(error))
      throw new ConfigError('recording_not_found', `There is no recording ${path}; check the path.`, { cause: error });
    const why = error instanceof SteerloopError ? `it ${error.message}` : describeError(error);
    const message = `Cannot read the recording ${path}: ${why}. Give the path of a recording that you may read.`;
    throw new ConfigError('recording_unreadable', message, { cause: error });
  }
}

/** The durable events of a run with `seq >= from`, in order, each once, reading from `start` bytes on. Rejects when the file cannot be read. */
export async function readRunEvents(path: string, runId: string, from: number, start: number): Promise<DurableEvent[]> {
  const events: DurableEvent[] = [];
  let next = from;
  for await (const raw of linesOf(path, { start })) {
    const parsed = 'text' in raw ? parseLine(raw.text) : undefined;
    if (!parsed?.ok || !('run_id' in parsed.line) || parsed.line.run_id !== runId) continue;
    if (!isDurable(parsed.line) || parsed.line.seq < next) continue;
    events.push(parsed.line);
    next = parsed.line.seq + 1;
  }
  return events;
}
