import { describe, expect, it } from 'vitest';
import { manualTimers } from '../../src/runtime/testing/index.ts';
import { type Verdict, VitalSigns } from '../../src/worker/vital-signs.ts';

function watched() {
  const timers = manualTimers();
  const pings: number[] = [];
  const verdicts: Verdict[] = [];
  const signs = new VitalSigns({
    timers,
    pingMs: 100,
    graceMs: 20,
    ping: (id) => pings.push(id),
    end: (verdict) => verdicts.push(verdict),
  });
  return { signs, timers, pings, verdicts };
}

describe('the vital signs of a thread', () => {
  it('are well as long as each ping is answered in its time', () => {
    const { signs, timers, pings, verdicts } = watched();
    signs.begin();
    for (const id of [1, 2, 3]) {
      expect(pings.at(-1)).toBe(id);
      signs.pong(id);
      timers.advance(100);
    }
    expect(verdicts).toEqual([]);
    timers.advance(100);
    expect(verdicts).toEqual(['unresponsive']);
  });

  it('end a thread whose agent does not load in the time limit and as long as a ping may take, however well it answers', () => {
    const { signs, timers, pings, verdicts } = watched();
    signs.begin();
    signs.loading(50);
    signs.pong(pings.at(-1) ?? 0);
    timers.advance(149);
    expect(verdicts).toEqual([]);
    timers.advance(1);
    expect(verdicts).toEqual(['timeout']);
  });

  it('count the time limit anew once the loop has begun', () => {
    const { signs, timers, verdicts } = watched();
    signs.loading(50);
    timers.advance(149);
    signs.limit(50);
    timers.advance(69);
    expect(verdicts).toEqual([]);
  });

  it('end a thread that is still there when the grace after a stop is over', () => {
    const { signs, timers, verdicts } = watched();
    signs.begin();
    signs.stopAsked();
    timers.advance(19);
    signs.stopAsked();
    expect(verdicts).toEqual([]);
    timers.advance(1);
    expect(verdicts).toEqual(['stopped']);
  });

  it('end a thread past its time limit only when it does not answer', () => {
    const { signs, timers, pings, verdicts } = watched();
    signs.limit(50);
    timers.advance(70);
    expect(pings).toEqual([1]);
    signs.pong(1);
    timers.advance(20);
    expect(verdicts).toEqual([]);
    timers.advance(70 + 20);
    expect(verdicts).toEqual(['timeout']);
  });

  it('follow a limit that changes or goes', () => {
    const { signs, timers, verdicts } = watched();
    signs.limit(50);
    signs.limit(500);
    timers.advance(100);
    signs.limit(undefined);
    timers.advance(10_000);
    expect(verdicts).toEqual([]);
    expect(timers.pending).toEqual([]);
  });

  it('give one verdict and leave no timer behind', () => {
    const { signs, timers, verdicts } = watched();
    signs.begin();
    signs.limit(1);
    signs.stopAsked();
    timers.advance(1_000);
    signs.begin();
    signs.limit(1);
    expect(verdicts).toEqual(['stopped']);
    expect(timers.pending).toEqual([]);
  });
});
