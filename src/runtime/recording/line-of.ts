/** One line of a recording as text. The only place that writes the format; `parse-line.ts` reads it. */
import type { RecordingLine } from '../schema/recording.ts';

const LINE_BREAKS_OF_OTHERS = /[\u2028\u2029]/g;

/**
 * The JSON text of a line, without the line break. Well-formed whatever the strings hold: a lone surrogate is
 * written as an escape. Throws what `JSON.stringify` throws when the line is no JSON (a cycle, a bigint).
 */
export function lineOf(line: RecordingLine): string {
  // Legal inside JSON strings, yet Node's readline and others end a line there.
  return JSON.stringify(line).replace(LINE_BREAKS_OF_OTHERS, (character) => (character === '\u2028' ? '\\u2028' : '\\u2029'));
}
