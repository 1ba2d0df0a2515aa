import { describe, expect, it } from 'vitest';
import type { DurableEvent } from '../../../src/runtime/schema/event.ts';
import { countingIds, fixedClock, fixedRandom, manualJournal, manualTimers } from '../../../src/runtime/testing/index.ts';

function eventAt(seq: number): DurableEvent {
  return { type: 'iteration_started', run_id: 'run_1', iteration: 1, time: 0, seq, messages: [] };
}

describe('fixed ports', () => {
  it('show a time that moves only when it is moved', () => {
    const clock = fixedClock(1_000);
    expect(clock.now()).toBe(1_000);
    clock.advance(5);
    expect(clock.now()).toBe(1_005);
  });

  it('count ids for each kind', () => {
    const ids = countingIds('a_');
    expect([ids.next('message'), ids.next('call'), ids.next('message')]).toEqual(['a_message_1', 'a_call_1', 'a_message_2']);
  });

  it('draw always the same number', () => {
    const random = fixedRandom(0.25);
    expect([random.next(), random.next(), fixedRandom().next()]).toEqual([0.25, 0.25, 0]);
  });
});

describe('manualTimers', () => {
  it('show what is set and fire it by kind, the one that is due first', () => {
    const clock = fixedClock(100);
    const timers = manualTimers(clock);
    const fired: string[] = [];
    timers.set(50, 'tool_timeout', () => fired.push('late'));
    timers.set(20, 'tool_timeout', () => fired.push('soon'));
    timers.set(5, 'grace', () => fired.push('grace'));
    expect(timers.pending).toEqual([
      { kind: 'tool_timeout', ms: 50, due: 150 },
      { kind: 'tool_timeout', ms: 20, due: 120 },
      { kind: 'grace', ms: 5, due: 105 },
    ]);
    timers.fire('tool_timeout');
    expect([fired, clock.now()]).toEqual([['soon'], 120]);
    timers.fire('grace');
    expect([fired, clock.now()]).toEqual([['soon', 'grace'], 120]);
    expect(() => timers.fire('grace')).toThrow('no timer of kind grace is set; set are: tool_timeout');
  });

  it('fire what comes due on the way, in order, also what is set on the way', () => {
    const clock = fixedClock();
    const timers = manualTimers(clock);
    const fired: [string, number][] = [];
    const note = (name: string) => () => fired.push([name, clock.now()]);
    timers.set(30, 'grace', note('third'));
    timers.set(10, 'grace', () => {
      note('first')();
      timers.set(10, 'grace', note('second'));
    });
    timers.set(36, 'grace', note('never'));
    timers.advance(35);
    expect(fired).toEqual([
      ['first', 10],
      ['second', 20],
      ['third', 30],
    ]);
    expect([clock.now(), timers.pending.length]).toEqual([35, 1]);
  });

  it('forget what is cancelled, and cancelling again does nothing', () => {
    const timers = manualTimers();
    const cancel = timers.set(10, 'turn', () => expect.unreachable());
    cancel();
    cancel();
    timers.advance(100);
    expect(timers.pending).toEqual([]);
  });

  it('tell when a timer of a kind is set', async () => {
    const timers = manualTimers();
    const order: string[] = [];
    const second = timers.whenSet('retry_wait', 2).then(() => order.push('second'));
    timers.set(1, 'grace', () => undefined);
    timers.set(1, 'retry_wait', () => undefined);
    await timers.whenSet('retry_wait');
    order.push('first');
    timers.set(1, 'retry_wait', () => undefined);
    await second;
    expect(order).toEqual(['first', 'second']);
  });
});

describe('manualJournal', () => {
  it('keeps at once until it is held', async () => {
    const journal = manualJournal([eventAt(1)]);
    journal.append(eventAt(2));
    await journal.commit(2);
    expect(journal.waiting).toEqual([]);
    expect(await journal.read(2)).toEqual([eventAt(2)]);
    expect(journal.events).toHaveLength(2);
  });

  it('lets commits up to a seq go and holds the others', async () => {
    const journal = manualJournal();
    journal.hold();
    const commits = [1, 3, 5].map((seq) => journal.commit(seq));
    expect(journal.waiting).toEqual([1, 3, 5]);
    journal.release(3);
    await Promise.all([commits[0], commits[1], journal.commit(2)]);
    expect(journal.waiting).toEqual([5]);
    journal.release();
    await Promise.all([commits[2], journal.commit(9)]);
  });

  it('fails what waits and everything after it', async () => {
    const journal = manualJournal();
    journal.hold();
    const commit = journal.commit(1);
    journal.fail(new Error('disk full'));
    await expect(commit).rejects.toThrow('disk full');
    await expect(journal.commit(2)).rejects.toThrow('disk full');
  });

  it('tells when a commit was asked for', async () => {
    const journal = manualJournal();
    journal.hold();
    const asked = journal.whenCommitAsked(4);
    void journal.commit(5);
    await asked;
    expect(journal.waiting).toEqual([5]);
    journal.release();
  });
});
