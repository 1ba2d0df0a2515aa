/** One line of a recording as text. The only place that writes the format; `parse-line.ts` reads it. */
import type { RecordingLine } from '../schema/recording.ts';

// DEL and C1, line and paragraph separators, and what reorders the text around it.
const LEFT_BARE_BY_JSON = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/**
 * The JSON text of a line, without the line break. Well-formed whatever the strings hold: a lone surrogate is
 * written as an escape. Throws what `JSON.stringify` throws when the line is no JSON (a cycle, a bigint).
 */
export function lineOf(line: RecordingLine): string {
  return escapeControls(JSON.stringify(line));
}

/** JSON text that means the same and holds no control character: JSON lets some stand bare that end lines for others, or move a terminal's cursor. */
export function escapeControls(json: string): string {
  return json.replace(LEFT_BARE_BY_JSON, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
