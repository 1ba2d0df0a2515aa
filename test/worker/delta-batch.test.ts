import { describe, expect, it } from 'vitest';
import type { EphemeralEvent } from '../../src/runtime/schema/event.ts';
import { DeltaBatch, LATE_MS, LEAST_GAP_MS, MOST_UNREAD_BATCHES, MOST_WAITING_EVENTS } from '../../src/worker/delta-batch.ts';

const envelope = { run_id: 'run_1', iteration: 1, time: 5 };
const delta = (text: string, attempt = 1): EphemeralEvent => ({ type: 'text_delta', ...envelope, attempt, text });
const custom = (name: string): EphemeralEvent => ({ type: 'custom', ...envelope, name });

/** A batch whose clock and whose turns of the event loop are moved by hand. */
function batchByHand() {
  const posted: EphemeralEvent[][] = [];
  const waits: string[] = [];
  let due: (() => void)[] = [];
  let time = 0;
  const wait = (how: string) => (call: () => void) => {
    waits.push(how);
    due.push(call);
  };
  const batch = new DeltaBatch({
    post: (events) => posted.push([...events]),
    nextTurn: wait('turn'),
    later: wait('later'),
    now: () => time,
  });
  return {
    batch,
    posted,
    waits,
    turn(ms = LEAST_GAP_MS) {
      const calls = due;
      due = [];
      time += ms;
      for (const call of calls) call();
    },
    pass(ms: number) {
      time += ms;
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

  it('waits a moment behind another one, so that a dense stream is joined over several turns', () => {
    const { batch, posted, waits, turn } = batchByHand();
    batch.push(delta('a'));
    turn(0);
    for (const text of ['b', 'c']) batch.push(delta(text));
    turn();
    turn(LEAST_GAP_MS);
    batch.push(delta('d'));
    expect(posted).toEqual([[delta('a')], [delta('bc')]]);
    expect(waits).toEqual(['turn', 'later', 'turn']);
  });

  it('leaves without a turn once it has waited long, if it is asked to look', () => {
    const { batch, posted, pass } = batchByHand();
    batch.push(delta('a'));
    batch.flush();
    batch.push(delta('b'));
    batch.flushLate();
    expect(posted).toHaveLength(1);
    pass(LATE_MS);
    batch.flushLate();
    expect(posted).toEqual([[delta('a')], [delta('b')]]);
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
    expect(batch.droppedInAll).toBe(7);
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
