/**
 * Shows a run to whoever called the command: the trace on stderr as it happens, and on stdout the answer, the outcome or
 * the event lines. A live run and a recorded one go through here alike; what is printed depends on their events only.
 */
import { setImmediate } from 'node:timers/promises';
import { inertText } from '../node/inert-text.ts';
import { EventMerger } from '../runtime/recording/event-merger.ts';
import { lineOf } from '../runtime/recording/line-of.ts';
import type { Run, RunResult } from '../runtime/run.ts';
import type { RunEvent } from '../runtime/schema/event.ts';
import { ExitCodeFold, FAILURE_EXIT_CODE, SIGNAL_EXIT_CODES } from './exit-code.ts';
import { outcomeLine } from './outcome.ts';
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
export async function showRun(run: Run, options: ShowOptions): Promise<number> {
  const { screen, leavesWithReader = false } = options;
  const view = new RunView(options);
  for await (const event of run.events()) {
    view.show(event);
    if (!leavesWithReader) continue;
    // A stream tells in a later turn that it is broken; events without waits between them would leave no such turn.
    await setImmediate();
    if (screen.outClosed.aborted) return SIGNAL_EXIT_CODES.SIGPIPE;
  }
  view.close(await run.result);
  await setImmediate();
  return screen.outFailure === undefined ? view.exitCode : outFailed(screen, screen.outFailure, view.exitCode);
}

/** What is shown of one run. */
class RunView {
  readonly #options: ShowOptions;
  readonly #trace: Trace;
  readonly #lines: EventMerger;
  readonly #activity = new Activity();
  readonly #exit = new ExitCodeFold();

  constructor(options: ShowOptions) {
    const { screen } = options;
    this.#options = options;
    this.#trace = new Trace((text) => screen.trace(text), screen.style);
    this.#lines = new EventMerger((event) => screen.answer(`${lineOf(event)}\n`));
  }

  get exitCode(): number {
    return this.#exit.code;
  }

  show(event: RunEvent): void {
    const { screen, output } = this.#options;
    this.#exit.add(event);
    this.#activity.add(event);
    if (output === 'jsonl') this.#lines.push(event);
    if (output === 'text' && event.type === 'done') this.#answer(event.final_content);
    this.#trace.add(event);
    screen.wait(this.#activity.label);
  }

  close(result: RunResult): void {
    const { screen, output, recording } = this.#options;
    screen.wait(undefined);
    this.#lines.flush();
    this.#trace.endLine();
    if (!this.#exit.isOver && result.error !== undefined)
      screen.trace(errorLine(screen, `error ${result.error.code}`, result.error.message));
    if (output === 'json') screen.answer(outcomeLine(result, { exitCode: this.exitCode, recording }));
    if (recording !== undefined) screen.trace(recordedLine(recording, screen.style));
  }

  /** Prints the answer; nothing when there is none, or when it is the last text on this very terminal. */
  #answer(answer: string): void {
    if (answer.trim() === '') return;
    this.#trace.endLine();
    const { screen } = this.#options;
    if (screen.isOneTerminal && this.#trace.lastText?.trim() === answer.trim()) return;
    screen.answer(`${inertText(answer).trimEnd()}\n`);
  }
}

/** An answer that got lost is no success. */
function outFailed(screen: Screen, failure: Error, code: number): number {
  screen.trace(errorLine(screen, 'error', 'stdout cannot be written', failure.message));
  return code === 0 ? FAILURE_EXIT_CODE : code;
}

function errorLine({ style }: Screen, ...parts: readonly string[]): string {
  return problemLine('✗', style.red, joinParts(...parts));
}
