/** What a recording's file holds, read without the reader that is under test elsewhere. */
import { readFileSync } from 'node:fs';
import type { RunEvent } from '../../../src/runtime/schema/event.ts';

/** The events of a recording in the order of its lines; the header is left out. */
export function recordedEvents(path: string): RunEvent[] {
  const [, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as RunEvent);
}
