import { describe, expect, it } from 'vitest';
import type { EphemeralEvent } from '../../src/runtime/schema/event.ts';
import { DeltaBatch, MOST_UNREAD_BATCHES, MOST_WAITING_EVENTS } from '../../src/worker/delta-batch.ts';

const envelope = { run_id: 'run_1', iteration: 1, time: 5 };
const delta = (text: string, attempt = 1): EphemeralEvent => ({ type: 'text_delta', ...envelope, attempt, text });
const custom = (name: string): EphemeralEvent => ({ type: 'custom', ...envelope, name });

/** A batch whose turns of the event loop are taken by hand. */
function batchByHand() {
  const posted: EphemeralEvent[][] = [];
  let turns: (() => void)[] = [];
  const batch = new DeltaBatch({ post: (events) => posted.push([...events]), nextTurn: (call) => turns.push(call) });
  return {
    batch,
    posted,
    turn() {
      const due = turns;
      turns = [];
      for (const call of due) call();
    },
  };
}

describe('a batch of ephemeral events', () => {
  it('leaves once a turn, with neighbouring pieces of one text joined and the order kept', () => {
    const { batch, posted, turn } = batchByHand();
    for (const event of [delta('a'), delta('b'), custom('x'), delta('c'), delta('d', 2)]) batch.push(event);
    expect(posted).toEqual([]);
    turn();
    expect(posted).toEqual([[delta('ab'), custom('x'), delta('c'), delta('d', 2)]]);
    turn();
    expect(posted).toHaveLength(1);
  });

  it('leaves before its turn when a durable event follows', () => {
    const { batch, posted, turn } = batchByHand();
    batch.push(delta('a'));
    batch.flush();
    expect(posted).toEqual([[delta('a')]]);
    turn();
    expect(posted).toHaveLength(1);
  });

  it('waits while the host is behind, and leaves as one when it has caught up', () => {
    const { batch, posted, turn } = batchByHand();
    for (let count = 0; count < MOST_UNREAD_BATCHES + 3; count++) {
      batch.push(delta(`${count},`));
      turn();
    }
    expect(posted).toHaveLength(MOST_UNREAD_BATCHES);
    batch.hasRead(1);
    turn();
    expect(posted).toHaveLength(MOST_UNREAD_BATCHES + 1);
    expect(posted.at(-1)).toEqual([delta('64,65,66,')]);
  });

  it('drops and counts what comes when it is full and the host is behind', () => {
    const { batch, posted, turn } = batchByHand();
    for (let count = 0; count < MOST_UNREAD_BATCHES; count++) {
      batch.push(custom('early'));
      turn();
    }
    for (let count = 0; count < MOST_WAITING_EVENTS + 7; count++) batch.push(custom('late'));
    turn();
    expect(posted).toHaveLength(MOST_UNREAD_BATCHES);
    batch.hasRead(MOST_UNREAD_BATCHES);
    turn();
    const last = posted.at(-1) ?? [];
    expect(last).toHaveLength(MOST_WAITING_EVENTS + 1);
    expect(last.at(-1)).toEqual({ type: 'status', ...envelope, code: 'events_lost', lost_events: 7 });
  });

  it('splits a flood of one turn and loses nothing of it while the host reads', () => {
    const { batch, posted, turn } = batchByHand();
    const flood = Array.from({ length: MOST_WAITING_EVENTS * 2 + 5 }, (_, index) => custom(`event ${index}`));
    for (const event of flood) batch.push(event);
    turn();
    expect(posted.map((events) => events.length)).toEqual([MOST_WAITING_EVENTS, MOST_WAITING_EVENTS, 5]);
    expect(posted.flat()).toEqual(flood);
  });
});
