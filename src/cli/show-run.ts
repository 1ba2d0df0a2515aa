/**
 * Shows a run to whoever called the command: the trace on stderr as it happens, and on stdout the answer, the outcome or
 * the event lines. A live run and a recorded one go through here alike; what is printed depends on their events only.
 */
import { setImmediate } from 'node:timers/promises';
import { EventMerger } from '../runtime/recording/event-merger.ts';
import { lineOf } from '../runtime/recording/line-of.ts';
import type { Run } from '../runtime/run.ts';
import type { RunEvent } from '../runtime/schema/event.ts';
import { ExitCodeFold, FAILURE_EXIT_CODE, SIGNAL_EXIT_CODES } from './exit-code.ts';
import { outcomeLine } from './outcome.ts';
import { inertText } from './terminal/inert-text.ts';
import type { Screen } from './terminal/screen.ts';
import { Activity } from './trace/activity.ts';
import { joinParts, problemLine } from './trace/layout.ts';
import { recordedLine } from './trace/summary.ts';
import { Trace } from './trace/trace.ts';

/** The formats of stdout: the answer as text, the outcome as one JSON object, or the recording's event lines. */
export const OUTPUT_FORMATS = ['text', 'json', 'jsonl'] as const;

/** What goes to stdout. */
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** How to show a run. */
export interface ShowOptions {
  readonly screen: Screen;
  readonly output: OutputFormat;
  /** Absolute path of the recording; left out where there is none. */
  readonly recording?: string;
  /** Whether to leave as soon as nobody reads stdout any more: nothing is lost where nothing runs. */
  readonly leavesWithReader?: boolean;
}

/**
 * Shows a run to its end and returns its exit code. A recorded run that has no end (its process died) is shown as far
 * as it goes, said to be incomplete, and gives 1.
 */
export async function showRun(run: Run, { screen, output, recording, leavesWithReader }: ShowOptions): Promise<number> {
  const trace = new Trace((text) => screen.trace(text), screen.style);
  const activity = new Activity();
  const exit = new ExitCodeFold();
  const lines = new EventMerger((event) => screen.answer(`${lineOf(event)}\n`));
  for await (const event of run.events()) {
    exit.add(event);
    activity.add(event);
    if (output === 'jsonl') lines.push(event);
    if (output === 'text') showAnswer(event, trace, screen);
    trace.add(event);
    screen.wait(activity.label);
    if (!leavesWithReader) continue;
    // A stream tells in a later turn that it is broken; events without waits between them would leave no such turn.
    await setImmediate();
    if (screen.outClosed.aborted) return SIGNAL_EXIT_CODES.SIGPIPE;
  }
  screen.wait(undefined);
  lines.flush();
  trace.endLine();
  const result = await run.result;
  if (!exit.isOver) screen.trace(problemLine('✗', screen.style.red, joinParts('error', result.error?.code, result.error?.message)));
  if (output === 'json') screen.answer(outcomeLine(result, { exitCode: exit.code, recording }));
  if (recording !== undefined) screen.trace(recordedLine(recording, screen.style));
  await setImmediate();
  return screen.outFailure === undefined ? exit.code : outFailed(screen, screen.outFailure, exit.code);
}

/** An answer that got lost is no success. */
function outFailed(screen: Screen, failure: Error, code: number): number {
  screen.trace(problemLine('✗', screen.style.red, joinParts('error', 'stdout cannot be written', failure.message)));
  return code === 0 ? FAILURE_EXIT_CODE : code;
}

/** Prints the answer of a run that is over; nothing when there is none, or when it is the last text on this very terminal. */
function showAnswer(event: RunEvent, trace: Trace, screen: Screen): void {
  if (event.type !== 'done' || event.final_content.trim() === '') return;
  trace.endLine();
  if (screen.isOneTerminal && trace.lastText?.trim() === event.final_content.trim()) return;
  screen.answer(`${inertText(event.final_content).trimEnd()}\n`);
}
