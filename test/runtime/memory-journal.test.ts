import { describe, expect, it } from 'vitest';
import { memoryJournal } from '../../src/runtime/memory-journal.ts';
import { warningEvent } from './recording/sample-events.ts';

describe('memoryJournal', () => {
  it('gives back what was appended, from any seq on', async () => {
    const journal = memoryJournal();
    expect(await journal.read(1)).toEqual([]);
    for (let seq = 1; seq <= 5; seq += 1) journal.append(warningEvent(seq));
    await journal.commit(5);

    expect((await journal.read(1)).map((event) => event.seq)).toEqual([1, 2, 3, 4, 5]);
    expect((await journal.read(4)).map((event) => event.seq)).toEqual([4, 5]);
    expect(await journal.read(6)).toEqual([]);
    expect(await journal.read(-3)).toHaveLength(5);
  });

  it('goes on from the events it is given, also when they begin in the middle, and leaves that list alone', async () => {
    const before = [warningEvent(7), warningEvent(8)];
    const journal = memoryJournal(before);
    journal.append(warningEvent(9));

    expect((await journal.read(1)).map((event) => event.seq)).toEqual([7, 8, 9]);
    expect((await journal.read(8)).map((event) => event.seq)).toEqual([8, 9]);
    expect(before).toHaveLength(2);
  });

  it('gives a reader a list that later events do not change', async () => {
    const journal = memoryJournal();
    journal.append(warningEvent(1));

    const read = await journal.read(1);
    journal.append(warningEvent(2));

    expect(read).toHaveLength(1);
  });
});
