/** Reads events for a test: all of them, or up to the one it waits for. */
import type { Run } from '../run.ts';
import type { RunEvent } from '../schema/event.ts';

/** All events of a run from its start to `done`, or all items of any stream. */
export function collect(run: Run): Promise<RunEvent[]>;
export function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]>;
export async function collect(source: Run | AsyncIterable<unknown>): Promise<unknown[]> {
  const items: unknown[] = [];
  for await (const item of 'events' in source ? source.events() : source) items.push(item);
  return items;
}

/**
 * The first event of a type that fits (default: any of that type), reading from the run's start. Resolves as soon as it happens;
 * rejects when the run ends without one, and says how it ended.
 */
export async function waitForEvent<Type extends RunEvent['type']>(
  run: Pick<Run, 'events'>,
  type: Type,
  fits: (event: Extract<RunEvent, { type: Type }>) => boolean = () => true,
): Promise<Extract<RunEvent, { type: Type }>> {
  let end = '';
  for await (const event of run.events()) {
    if (isOfType(event, type) && fits(event)) return event;
    if (event.type === 'done') end = ` (${event.reason}${event.error === undefined ? '' : `: ${event.error.message}`})`;
  }
  throw new Error(`the run ended${end} without the ${type} event that was waited for`);
}

function isOfType<Type extends RunEvent['type']>(event: RunEvent, type: Type): event is Extract<RunEvent, { type: Type }> {
  return event.type === type;
}
