/**
 * Reads a recording line by line, in constant work a line. A line that cannot be read becomes a warning with its
 * number and reading goes on. Lines are keyed by run and `seq`: one that comes again is left out. Nothing is
 * thrown for what the file holds; a file that is no recording has no lines and warnings that say so.
 */
import { type DurableEvent, isDurable } from '../schema/event.ts';
import type { RecordingHeader, RecordingLine } from '../schema/recording.ts';
import { type LineProblemCode, parseLine } from './parse-line.ts';

/** A line as it comes from the file: its text, and whether a line break ended it; or how long it was when it is too long to be read. */
export type RawLine = { readonly text: string; readonly ended: boolean } | { readonly tooLongBytes: number };

/** A line of a recording that is not its header. */
export type RecordedLine = Exclude<RecordingLine, RecordingHeader>;

/** What is odd about a line. `torn`: the last line, cut. `gap`: events of a run are missing before it. `more`: further warnings, counted only. */
export type RecordingWarningCode = LineProblemCode | 'torn' | 'too_long' | 'duplicate' | 'gap' | 'no_header' | 'more';

/** Something odd in a recording; `message` is a sentence that names the line. Lines count from 1. */
export interface RecordingWarning {
  readonly line: number;
  readonly code: RecordingWarningCode;
  readonly message: string;
}

/** What a recording holds. */
export interface ParsedRecording {
  /** Missing when the first line was lost. */
  readonly header: RecordingHeader | undefined;
  readonly lines: readonly RecordedLine[];
  readonly warnings: readonly RecordingWarning[];
}

/** Warnings that are kept; a file of another kind would give one a line. */
const MOST_WARNINGS = 100;
const BYTE_ORDER_MARK = '\uFEFF';

/** Takes the lines of a recording in order and says in the end what they were. */
export class RecordingReader {
  #header: RecordingHeader | undefined;
  readonly #lines: RecordedLine[] = [];
  readonly #warnings: RecordingWarning[] = [];
  readonly #seen = new Map<string, DurableEvent>();
  readonly #lastSeq = new Map<string, number>();
  #count = 0;
  #unkeptWarnings = 0;

  /** Takes the next line. */
  read(raw: RawLine): void {
    this.#count += 1;
    if ('tooLongBytes' in raw) this.#warn('too_long', `is left out: ${raw.tooLongBytes} bytes are more than a line may have`);
    else this.#readText(raw.text, raw.ended);
  }

  /** What was read. Called once, behind the last line. */
  finish(): ParsedRecording {
    if (this.#header === undefined && this.#warnings[0]?.line !== 1) {
      this.#warnings.unshift({ line: 1, code: 'no_header', message: 'line 1 is not the header of a recording' });
    }
    if (this.#unkeptWarnings > 0) {
      this.#warnings.push({ line: this.#count, code: 'more', message: `${this.#unkeptWarnings} more lines are odd` });
    }
    return { header: this.#header, lines: this.#lines, warnings: this.#warnings };
  }

  #readText(raw: string, ended: boolean): void {
    const text = this.#count === 1 && raw.startsWith(BYTE_ORDER_MARK) ? raw.slice(1) : raw;
    if (text.trim() === '') return;
    const parsed = parseLine(text);
    if (parsed.ok) this.#keep(parsed.line);
    else if (parsed.code === 'not_json' && !ended) this.#warn('torn', 'is cut: its end was never written');
    else this.#warn(parsed.code, parsed.message);
  }

  #keep(line: RecordingLine): void {
    // A later header comes from an append behind a torn first line, or from joined files.
    if (line.type === 'recording') this.#header ??= line;
    else if (!('run_id' in line) || !isDurable(line) || this.#isNew(line)) this.#lines.push(line);
  }

  #isNew(event: DurableEvent): boolean {
    const key = `${event.seq} ${event.run_id}`;
    const known = this.#seen.get(key);
    if (known === undefined) {
      this.#seen.set(key, event);
      this.#noteGap(event);
      return true;
    }
    if (!isSameEvent(known, event)) this.#warn('duplicate', `is left out: run ${event.run_id} has another event with seq ${event.seq}`);
    return false;
  }

  #noteGap({ run_id, seq }: DurableEvent): void {
    const last = this.#lastSeq.get(run_id) ?? 0;
    if (seq > last + 1) this.#warn('gap', `follows a gap: run ${run_id} has no event from seq ${last + 1} to ${seq - 1}`);
    if (seq > last) this.#lastSeq.set(run_id, seq);
  }

  #warn(code: RecordingWarningCode, what: string): void {
    if (this.#warnings.length >= MOST_WARNINGS) this.#unkeptWarnings += 1;
    else this.#warnings.push({ line: this.#count, code, message: `line ${this.#count} ${what}` });
  }
}

function isSameEvent(one: DurableEvent, other: DurableEvent): boolean {
  try {
    return JSON.stringify(one) === JSON.stringify(other);
  } catch {
    // Nested too deeply to be written again; such a line is not ours.
    return false;
  }
}
