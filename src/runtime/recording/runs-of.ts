/** The runs that a recording holds. A recording of a chat holds one a turn; a command takes the last one unless it is told another. */
import { ConfigError } from '../errors.ts';
import type { RunEvent } from '../schema/event.ts';
import type { RecordedLine } from './recording-reader.ts';

/** Ids of the runs of a recording, in the order in which they began. */
export function runsOf(lines: readonly RecordedLine[]): readonly string[] {
  const ids = new Set<string>();
  for (const line of lines) if ('run_id' in line) ids.add(line.run_id);
  return [...ids];
}

/**
 * The events of one run, in order: of the run named, else of the one that began last. Throws a `ConfigError`:
 * `unknown_run` (it names the runs there are), or `empty_recording` when there are none.
 */
export function eventsOfRun(lines: readonly RecordedLine[], runId?: string): readonly RunEvent[] {
  const runs = runsOf(lines);
  const wanted = runId ?? runs.at(-1);
  if (wanted === undefined) {
    throw new ConfigError('empty_recording', 'The recording holds no event of any run; give a recording that a run has written to.');
  }
  if (!runs.includes(wanted)) throw new ConfigError('unknown_run', unknownRun(wanted, runs));
  return lines.filter((line): line is RunEvent => 'run_id' in line && line.run_id === wanted);
}

function unknownRun(wanted: string, runs: readonly string[]): string {
  if (runs.length === 0) return `The recording holds no run ${wanted}, nor any other.`;
  return `The recording holds no run ${wanted}; name one of ${runs.join(', ')}.`;
}
