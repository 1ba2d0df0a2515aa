import { describe, expect, it } from 'vitest';
import { RunQueue } from '../../src/worker/run-queue.ts';

describe('the queue of runs', () => {
  it('lets as many in as there are places, and the others in the order in which they came', () => {
    const entered: string[] = [];
    const queue = new RunQueue(2);
    const [first, second] = ['a', 'b', 'c', 'd'].map((name) => queue.join(() => entered.push(name)));
    expect(entered).toEqual(['a', 'b']);
    second?.leave();
    expect(entered).toEqual(['a', 'b', 'c']);
    first?.leave();
    expect(entered).toEqual(['a', 'b', 'c', 'd']);
  });

  it('gives a place back once, however often it is left', () => {
    const entered: string[] = [];
    const queue = new RunQueue(1);
    const first = queue.join(() => entered.push('a'));
    for (const name of ['b', 'c']) queue.join(() => entered.push(name));
    first.leave();
    first.leave();
    expect(entered).toEqual(['a', 'b']);
  });

  it('forgets who leaves while waiting', () => {
    const entered: string[] = [];
    const queue = new RunQueue(1);
    const [first, second] = ['a', 'b', 'c'].map((name) => queue.join(() => entered.push(name)));
    second?.leave();
    first?.leave();
    expect(entered).toEqual(['a', 'c']);
  });
});
