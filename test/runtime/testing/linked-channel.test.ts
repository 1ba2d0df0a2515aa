/** One suite for the linked channel and for a real MessageChannel, so that the first stays a true picture of the second. */
import { setImmediate } from 'node:timers/promises';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { deferred, linkedChannel, type MessageChannelEnd } from '../../../src/runtime/testing/index.ts';

type End = MessageChannelEnd<unknown, unknown>;

function portEnd(port: MessagePort): End {
  return {
    post: (message) => port.postMessage(message),
    listen: (handler) => port.on('message', handler),
    close: () => port.close(),
    onClose: (handler) => port.on('close', handler),
  };
}

function realPair(): { left: End; right: End } {
  const { port1, port2 } = new MessageChannel();
  return { left: portEnd(port1), right: portEnd(port2) };
}

/** Resolves with what arrived when the end is closed. */
function untilClosed(end: End): Promise<unknown[]> {
  const arrived: unknown[] = [];
  const closed = deferred<unknown[]>();
  end.listen((message) => arrived.push(message));
  end.onClose(() => closed.resolve(arrived));
  return closed.promise;
}

describe.each([
  ['a linked channel', () => linkedChannel<unknown, unknown>()],
  ['a real MessageChannel', realPair],
])('%s', (_name, makePair) => {
  it('delivers in order, what was posted before anybody listened included, and closes behind the last message', async () => {
    const { left, right } = makePair();
    left.post(1);
    left.post(2);
    const arrived = untilClosed(right);
    left.post(3);
    left.close();
    left.post('too late');
    expect(await arrived).toEqual([1, 2, 3]);
  });

  it('delivers never within the call that posts', async () => {
    const { left, right } = makePair();
    const order: string[] = [];
    const arrived = deferred();
    right.listen(() => {
      order.push('arrived');
      arrived.resolve();
    });
    left.post('x');
    order.push('posted');
    await arrived.promise;
    expect(order).toEqual(['posted', 'arrived']);
    left.close();
  });

  it('carries both ways', async () => {
    const { left, right } = makePair();
    const answer = deferred<unknown>();
    right.listen((message) => right.post({ answerTo: message }));
    left.listen((message) => answer.resolve(message));
    left.post('question');
    expect(await answer.promise).toEqual({ answerTo: 'question' });
    right.close();
  });

  it('sends copies', async () => {
    const { left, right } = makePair();
    const arrived = untilClosed(right);
    const message = { list: [1] };
    left.post(message);
    message.list.push(2);
    left.close();
    expect(await arrived).toEqual([{ list: [1] }]);
  });

  it('throws at once for what cannot be cloned, and goes on', async () => {
    const { left, right } = makePair();
    const arrived = untilClosed(right);
    expect(() => left.post(() => undefined)).toThrow(/could not be cloned/);
    left.post('next');
    left.close();
    expect(await arrived).toEqual(['next']);
  });

  it('tells both ends of a close, whichever closes, and twice is once', async () => {
    const { left, right } = makePair();
    const closed = [untilClosed(left), untilClosed(right)];
    let told = 0;
    left.onClose(() => {
      told += 1;
    });
    right.close();
    right.close();
    expect(await Promise.all(closed)).toEqual([[], []]);
    left.listen(() => undefined);
    left.close();
    await setImmediate();
    expect(told).toBe(1);
  });
});

describe('a held lane', () => {
  it('delivers nothing until it is released, then so many, then all', async () => {
    const { left, right, toRight } = linkedChannel<number, never>();
    const arrived: number[] = [];
    const third = deferred();
    const last = deferred();
    right.listen((message) => {
      arrived.push(message);
      if (message === 2) third.resolve();
      if (message === 4) last.resolve();
    });
    toRight.hold();
    for (const message of [1, 2, 3, 4]) left.post(message);
    await Promise.resolve();
    expect([arrived, toRight.undelivered]).toEqual([[], 4]);
    toRight.release(2);
    await third.promise;
    await Promise.resolve();
    expect([arrived, toRight.undelivered]).toEqual([[1, 2], 2]);
    toRight.release();
    await last.promise;
    expect(arrived).toEqual([1, 2, 3, 4]);
    left.close();
  });

  it('leaves the other direction alone', async () => {
    const { left, right, toRight } = linkedChannel<string, string>();
    const answer = deferred<string>();
    left.listen((message) => answer.resolve(message));
    toRight.hold();
    left.post('held');
    right.post('free');
    expect(await answer.promise).toBe('free');
    expect(toRight.undelivered).toBe(1);
  });

  it('keeps the news of a close behind its messages, and until it is released', async () => {
    const { left, right, toRight } = linkedChannel<string, never>();
    const order: string[] = [];
    const closed = deferred();
    right.listen((message) => order.push(message));
    right.onClose(() => {
      order.push('closed');
      closed.resolve();
    });
    toRight.hold();
    left.post('last words');
    left.close();
    toRight.release(1);
    await setImmediate();
    order.push('released');
    toRight.release();
    await closed.promise;
    expect(order).toEqual(['last words', 'released', 'closed']);
  });

  it('loses what is discarded, as when a thread dies', async () => {
    const { left, right, toRight } = linkedChannel<string, never>();
    const arrived = untilClosed(right);
    toRight.hold();
    left.post('lost');
    toRight.discard();
    toRight.release();
    left.close();
    expect(await arrived).toEqual([]);
  });

  it('refuses to release more than it holds', () => {
    const { left, toRight } = linkedChannel<string, never>();
    toRight.hold();
    left.post('one');
    toRight.release(1);
    expect(() => toRight.release(1)).toThrow('release(1): only 0 message(s) are held');
  });
});
