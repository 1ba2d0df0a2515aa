import { describe, expect, it, onTestFinished } from 'vitest';
import { threadEntry } from '../../src/worker/thread-entry.ts';
import { ThreadPool, type ThreadPoolOptions } from '../../src/worker/thread-pool.ts';
import { FLOOD } from '../fixtures/worker/flooding-entry.ts';

function poolOfTest(options: Partial<ThreadPoolOptions> = {}): ThreadPool {
  const pool = new ThreadPool({ heapMb: undefined, maxThreads: 3, warmThreads: 0, onOutput: () => {}, ...options });
  onTestFinished(() => pool.close());
  return pool;
}

/** The options of a pool whose threads start with another entry. */
function entryOf(name: string): Pick<ThreadPoolOptions, 'entry'> {
  return { entry: { ...threadEntry(), filename: new URL(`../fixtures/worker/${name}.ts`, import.meta.url).href } };
}

describe('a pool of threads', () => {
  it('says that a thread is gone only when everything it had sent has arrived', async () => {
    const seat = poolOfTest(entryOf('flooding-entry')).open();
    let arrived = 0;
    seat.end.listen(() => (arrived += 1));
    expect(await seat.gone).toEqual({ kind: 'exited', code: 3 });
    expect(arrived).toBe(FLOOD);
  });

  it('says so too of a thread that it ends: what had been sent comes first, and nothing behind it', async () => {
    const seat = poolOfTest(entryOf('flooding-entry')).open();
    let arrived = 0;
    seat.end.listen(() => {
      arrived += 1;
      seat.kill();
    });
    const closed = new Promise<number>((resolve) => seat.end.onClose(() => resolve(arrived)));
    expect(await seat.gone).toEqual({ kind: 'ended' });
    const whenGone = arrived;
    expect(whenGone).toBe(await closed);
  });

  it('says what was wrong when its threads cannot even load', async () => {
    const pool = poolOfTest(entryOf('broken-entry'));
    const seats = [pool.open(), pool.open()];
    for (const seat of seats) seat.end.listen(() => {});
    for (const seat of seats) {
      expect(await seat.gone).toMatchObject({ kind: 'failed', error: expect.objectContaining({ message: 'the entry is broken' }) });
    }
  });

  it('ends a thread that nobody gave a run, loaded or not', async () => {
    const pool = poolOfTest();
    const [loaded, loading] = [pool.open(), pool.open()];
    const ready = new Promise((resolve) => loaded.end.listen(resolve));
    loading.end.listen(() => {});
    expect(await ready).toMatchObject({ type: 'ready' });
    loaded.kill();
    loading.kill();
    expect(await Promise.all([loaded.gone, loading.gone])).toEqual([{ kind: 'ended' }, { kind: 'ended' }]);
  });
});
