/** Promise L8: any number of readers, each at its own pace; a slow one loses ephemeral events only and is told. */
import { describe, expect, it } from 'vitest';
import { SteerloopError } from '../../src/runtime/errors.ts';
import { EventFeed } from '../../src/runtime/event-feed.ts';
import { memoryJournal } from '../../src/runtime/memory-journal.ts';
import { type DurableEvent, isDurable, type RunEvent } from '../../src/runtime/schema/event.ts';
import { collect, deferred, fixedClock } from '../../src/runtime/testing/index.ts';

const warning = (seq: number): DurableEvent => ({ type: 'warning', run_id: 'r', iteration: 0, time: 1, seq, code: 'x', message: `${seq}` });
const delta = (text: string): RunEvent => ({ type: 'text_delta', run_id: 'r', iteration: 0, time: 1, attempt: 1, text });

function feedWith() {
  const journal = memoryJournal();
  const feed = new EventFeed('r', journal, fixedClock(5));
  const push = (event: RunEvent): void => {
    if (isDurable(event)) journal.append(event);
    feed.push(event);
  };
  return { feed, push };
}

const seqs = (events: readonly RunEvent[]): number[] => events.filter(isDurable).map((event) => event.seq);
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

describe('a reader', () => {
  it('that keeps up gets every event in order', async () => {
    const { feed, push } = feedWith();
    const reading = collect(feed.events());
    push(warning(1));
    push(delta('a'));
    push(warning(2));
    push(delta('b'));
    feed.close();
    expect((await reading).map((event) => ('text' in event ? event.text : event.type))).toEqual(['warning', 'a', 'warning', 'b']);
  });

  it('that asks again before it was answered gets each event once, in order', async () => {
    const { feed, push } = feedWith();
    const reader = feed.events()[Symbol.asyncIterator]();
    const asked = Array.from({ length: 4 }, () => reader.next());
    for (const seq of upTo(3)) push(warning(seq));
    feed.close();
    const answers = await Promise.all(asked);
    expect(answers.map(({ value, done }) => (done === true ? 'end' : seqs([value])[0]))).toEqual([1, 2, 3, 'end']);
  });

  it('that does not read while thousands of events come loses no durable one, and is told what it lost', async () => {
    const { feed, push } = feedWith();
    const reader = feed.events()[Symbol.asyncIterator]();
    for (let seq = 1; seq <= 3_000; seq++) {
      push(warning(seq));
      push(delta('x'));
    }
    feed.close();
    const events = await collect({ [Symbol.asyncIterator]: () => reader });
    expect(seqs(events)).toEqual(upTo(3_000));
    const lost = events
      .flatMap((event) => (event.type === 'status' ? [event.lost_events ?? 0] : []))
      .reduce((sum, count) => sum + count, 0);
    expect(lost + events.filter((event) => event.type === 'text_delta').length).toBe(3_000);
  });

  it('that is slow gets streamed text in fewer pieces but whole', async () => {
    const { feed, push } = feedWith();
    const reader = feed.events()[Symbol.asyncIterator]();
    for (let count = 0; count < 5_000; count++) push(delta('x'));
    feed.close();
    const events = await collect({ [Symbol.asyncIterator]: () => reader });
    expect(events.length).toBeLessThan(100);
    expect(events.map((event) => (event.type === 'text_delta' ? event.text : '')).join('')).toHaveLength(5_000);
  });

  it('that comes late reads what it missed from the journal and goes on live', async () => {
    const { feed, push } = feedWith();
    for (let seq = 1; seq <= 500; seq++) push(warning(seq));
    const reading = collect(feed.events());
    push(warning(501));
    feed.close();
    expect(seqs(await reading)).toEqual(upTo(501));
  });

  it('that asks from before the first event gets all of them', async () => {
    const { feed, push } = feedWith();
    for (let seq = 1; seq <= 500; seq++) push(warning(seq));
    feed.close();
    expect(seqs(await collect(feed.events({ from: 0 })))).toEqual(upTo(500));
  });

  it.each([
    ['gives none', () => Promise.resolve([]), [], /Event 1 .* does not have it/],
    ['lacks one', () => Promise.resolve([1, 2, 4, 5].map(warning)), [1, 2], /Event 3 .* does not have it/],
    ['cannot be read', () => Promise.reject(new Error('the disk is gone')), [], /Event 1 .* the disk is gone/],
  ])('is told of durable events that are lost: a journal that %s', async (_what, read, told, message) => {
    const feed = new EventFeed('r', { read }, fixedClock(5));
    for (let seq = 1; seq <= 500; seq++) feed.push(warning(seq));
    const reader = feed.events()[Symbol.asyncIterator]();
    for (const seq of told) expect((await reader.next()).value).toEqual(warning(seq));
    const failed = reader.next();
    await expect(failed).rejects.toThrow(SteerloopError);
    await expect(failed).rejects.toMatchObject({ code: 'journal_unavailable', message: expect.stringMatching(message) });
    expect(await reader.next()).toEqual({ value: undefined, done: true });
    expect(feed.watched).toBe(false);
  });

  it('that left while the journal was asked is told nothing of its failure', async () => {
    const asked = deferred<DurableEvent[]>();
    const feed = new EventFeed('r', { read: () => asked.promise }, fixedClock(5));
    for (let seq = 1; seq <= 500; seq++) feed.push(warning(seq));
    const reader = feed.events()[Symbol.asyncIterator]();
    const next = reader.next();
    await reader.return?.();
    asked.reject(new Error('the disk is gone'));
    expect(await next).toEqual({ value: undefined, done: true });
  });

  it('that starts behind the end gets only what is new', async () => {
    const { feed, push } = feedWith();
    push(warning(1));
    const fromNow = collect(feed.events({ from: 'now' }));
    const fromThree = collect(feed.events({ from: 3 }));
    for (const seq of [2, 3]) push(warning(seq));
    feed.close();
    expect([seqs(await fromNow), seqs(await fromThree)]).toEqual([[2, 3], [3]]);
  });

  it('that leaves is forgotten', async () => {
    const { feed, push } = feedWith();
    push(warning(1));
    for await (const _event of feed.events()) break;
    expect(feed.watched).toBe(false);
  });

  it('of a feed that is over gets all of it', async () => {
    const { feed, push } = feedWith();
    push(warning(1));
    feed.close();
    expect(seqs(await collect(feed.events()))).toEqual([1]);
  });
});
