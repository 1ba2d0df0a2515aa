import { describe, expect, it } from 'vitest';
import type { DurableEvent } from '../../src/runtime/schema/event.ts';
import { ChannelJournal } from '../../src/worker/channel-journal.ts';

const event = (seq: number): DurableEvent => ({
  type: 'warning',
  run_id: 'run_1',
  iteration: 0,
  time: 1,
  seq,
  code: 'odd',
  message: 'odd',
});

/** Whether a promise has settled, once everything that is due has run. */
async function stateOf(promise: Promise<unknown>): Promise<string> {
  const waiting = Symbol('waiting');
  const turn = new Promise((resolve) => setImmediate(resolve, waiting));
  try {
    return (await Promise.race([promise, turn])) === waiting ? 'waiting' : 'resolved';
  } catch (error) {
    return `rejected: ${(error as Error).message}`;
  }
}

describe('the journal of a loop in a thread', () => {
  it('sends each event at once and commits only by the word of the host', async () => {
    const sent: number[] = [];
    const journal = new ChannelJournal(({ seq }) => sent.push(seq));
    for (const seq of [1, 2, 3]) journal.append(event(seq));
    expect(sent).toEqual([1, 2, 3]);
    const [second, third] = [journal.commit(2), journal.commit(3)];
    expect(await stateOf(second)).toBe('waiting');
    journal.acknowledge(2);
    expect([await stateOf(second), await stateOf(third)]).toEqual(['resolved', 'waiting']);
    journal.acknowledge(3);
    expect([await stateOf(third), await stateOf(journal.commit(1))]).toEqual(['resolved', 'resolved']);
  });

  it('rejects what waits and everything later once the host cannot keep events', async () => {
    const journal = new ChannelJournal(() => {});
    journal.append(event(1));
    const waiting = journal.commit(1);
    journal.acknowledge(0, { code: 'journal_unavailable', message: 'the disk is full' });
    expect(await stateOf(waiting)).toBe('rejected: the disk is full');
    journal.acknowledge(5);
    expect(await stateOf(journal.commit(5))).toBe('rejected: the disk is full');
  });

  it('tells with the commit, not with the append, that an event cannot be sent', async () => {
    const journal = new ChannelJournal(() => {
      throw new Error('could not be cloned');
    });
    expect(() => journal.append(event(1))).not.toThrow();
    expect(await stateOf(journal.commit(1))).toBe('rejected: could not be cloned');
  });

  it('sends readers to the host', async () => {
    await expect(new ChannelJournal(() => {}).read()).rejects.toMatchObject({ code: 'journal_is_remote' });
  });
});
