import { describe, expect, it, onTestFinished } from 'vitest';
import { threadEntry } from '../../src/worker/thread-entry.ts';
import { ThreadPool, type ThreadPoolOptions } from '../../src/worker/thread-pool.ts';

function poolOfTest(options: Partial<ThreadPoolOptions> = {}): ThreadPool {
  const pool = new ThreadPool({ heapMb: undefined, maxThreads: 3, warmThreads: 0, onOutput: () => {}, ...options });
  onTestFinished(() => pool.close());
  return pool;
}

describe('a pool of threads', () => {
  it('says what was wrong when its threads cannot even load', async () => {
    const { execArgv } = threadEntry();
    const filename = new URL('../fixtures/worker/broken-entry.ts', import.meta.url).href;
    const pool = poolOfTest({ entry: { filename, execArgv } });
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
