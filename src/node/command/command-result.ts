/**
 * What a model is told of a command that is over. Its output comes as it was printed; where something went
 * wrong, the first line says what (`exit code 3`). Notes count within the cap, so nothing cuts the result again: behind an
 * abort there is room left for the sentence of whoever aborted.
 */
import { cutNote, cutText, LEAST_CAP_BYTES, noteBytes, utf8Bytes } from '../../runtime/tools/cut-text.ts';
import { ToolOutput } from '../../runtime/tools/tool-output.ts';
import { formatDuration } from '../manifest/duration.ts';
import type { ManifestTool } from '../manifest/manifest.ts';
import type { CommandEnd, CommandRun } from './command.ts';
import type { CapturedOutput } from './output-capture.ts';

/** Bytes that the sentence about an abort may take. */
const ABORT_ROOM = 120;

/** What of a tool its results depend on. */
export type ResultRules = Pick<ManifestTool, 'okExitCodes' | 'timeoutMs' | 'maxOutputBytes'>;

/** Most bytes of a result of this tool. Below 64 there is no room for a note, so fewer count as 64. */
export function resultCapBytes({ maxOutputBytes }: Pick<ManifestTool, 'maxOutputBytes'>): number {
  return Math.max(LEAST_CAP_BYTES, maxOutputBytes);
}

/** The result of a command: never empty, an error unless it exited with a code that the tool calls ok. */
export function commandResult({ end, output }: CommandRun, rules: ResultRules): ToolOutput {
  if (end.how === 'not_started') return new ToolOutput(end.problem, { isError: true });
  const isError = !(end.how === 'exited' && rules.okExitCodes.includes(end.code));
  const head = isError ? headline(end, rules) : '';
  if (output.text === '') return new ToolOutput(head + emptyMarker(end, isError), { isError });
  const taken = end.how === 'aborted' ? ABORT_ROOM : utf8Bytes(head);
  const { text, droppedBytes } = fitted(output, Math.max(LEAST_CAP_BYTES, resultCapBytes(rules) - taken));
  return new ToolOutput(head + text, { isError, droppedBytes });
}

/** The first line of a result: what went wrong. Nothing after an abort, since whoever aborts says why. */
function headline(end: Exclude<CommandEnd, { how: 'not_started' }>, rules: ResultRules): string {
  switch (end.how) {
    case 'exited':
      return `exit code ${end.code}\n`;
    case 'killed':
      return `ended by signal ${end.signal}\n`;
    case 'timeout':
      return `timed out after ${formatDuration(rules.timeoutMs)}\n`;
    case 'aborted':
      return '';
  }
}

function emptyMarker(end: CommandEnd, isError: boolean): string {
  return !isError && end.how === 'exited' && end.code !== 0 ? `(no output, exit code ${end.code})` : '(no output)';
}

/** The output within its room; when some is missing, a note at its end says how much. */
function fitted(output: CapturedOutput, room: number): CapturedOutput {
  const size = utf8Bytes(output.text) + output.droppedBytes;
  if (size <= room) return { text: output.text, droppedBytes: 0 };
  const { text } = cutText(output.text, room - noteBytes(size));
  const droppedBytes = size - utf8Bytes(text);
  return { text: text + cutNote(droppedBytes), droppedBytes };
}
