/** A journal that lives as long as the program: the default where nobody gives another. */
import type { Journal } from './ports.ts';
import type { DurableEvent } from './schema/event.ts';

const KEPT = Promise.resolve();

/** Makes a journal in memory. `events` are those it holds already, in order of `seq`. It never fails. */
export function memoryJournal(events: readonly DurableEvent[] = []): Journal {
  const kept = [...events];
  return {
    append(event) {
      kept.push(event);
    },
    commit() {
      return KEPT;
    },
    read(from) {
      // `seq` rises by 1, so the place of an event follows from its number.
      const first = kept[0]?.seq ?? from;
      return Promise.resolve(kept.slice(Math.max(0, from - first)));
    },
  };
}
