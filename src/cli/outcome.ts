/** Outcome: how a run ended, as the one JSON object that `--output json` prints. The same from a live run and its recording. */
import { escapeControls } from '../runtime/recording/line-of.ts';
import type { RunResult } from '../runtime/run.ts';

/** What stands beside the result in an outcome. */
export interface OutcomeContext {
  readonly exitCode: number;
  /** Absolute path of the recording; left out where nothing is recorded. */
  readonly recording?: string;
}

/**
 * The outcome as one line of JSON: the run's result without its messages, the exit code, and the recording's path or
 * null. Control characters are escaped, so that it is harmless on a terminal.
 */
export function outcomeLine(result: RunResult, { exitCode, recording }: OutcomeContext): string {
  const { messages: _messages, ...outcome } = result;
  return `${escapeControls(JSON.stringify({ ...outcome, exit_code: exitCode, recording: recording ?? null }))}\n`;
}
