/** Reads a whole recording, from a text or from lines that come one by one. */
import { type ParsedRecording, type RawLine, RecordingReader } from './recording-reader.ts';

/** Reads the text of a recording. Never throws: what cannot be read is a warning with its line number. */
export function parseRecording(text: string): ParsedRecording {
  const reader = new RecordingReader();
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    reader.read({ text: text.slice(start, end), ended: true });
    start = end + 1;
  }
  if (start < text.length) reader.read({ text: text.slice(start), ended: false });
  return reader.finish();
}

/** Reads the lines of a recording as they come. Rejects only when `lines` throws. */
export async function parseRecordingLines(lines: AsyncIterable<RawLine>): Promise<ParsedRecording> {
  const reader = new RecordingReader();
  for await (const line of lines) reader.read(line);
  return reader.finish();
}
