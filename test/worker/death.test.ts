import { describe, expect, it } from 'vitest';
import { type Circumstances, endingOf } from '../../src/worker/death.ts';

const known: Circumstances = {
  verdict: undefined,
  channelError: undefined,
  startFailure: undefined,
  begun: true,
  heapMb: 64,
  pingMs: 30_000,
};
const outOfMemory = Object.assign(new Error('terminated'), { code: 'ERR_WORKER_OUT_OF_MEMORY' });

describe('the end of a run whose thread is gone', () => {
  it('is a crash that names exit code, heap limit, error or silence', () => {
    expect(endingOf({ kind: 'exited', code: 7 }, known)).toMatchObject({
      reason: 'crashed',
      error: { code: 'thread_exited', message: expect.stringContaining('process.exit(7)') },
    });
    expect(endingOf({ kind: 'failed', error: outOfMemory }, known)).toMatchObject({
      reason: 'crashed',
      error: { code: 'out_of_memory', message: expect.stringContaining('64 MB') },
    });
    expect(endingOf({ kind: 'failed', error: Object.assign(new TypeError('no'), { code: 'E9' }) }, known)).toMatchObject({
      reason: 'crashed',
      error: { code: 'thread_failed', message: expect.stringContaining('no'), cause: 'TypeError E9' },
    });
    expect(endingOf({ kind: 'ended' }, { ...known, verdict: 'unresponsive' })).toMatchObject({
      reason: 'crashed',
      error: { code: 'unresponsive', message: expect.stringContaining('30000 ms') },
    });
    expect(endingOf({ kind: 'ended' }, { ...known, channelError: new Error('bad message') })).toMatchObject({
      reason: 'crashed',
      error: { code: 'channel_error', message: 'bad message' },
    });
  });

  it('is what ended the thread, when that was a stop or the time limit', () => {
    expect(endingOf({ kind: 'ended' }, { ...known, verdict: 'stopped' })).toEqual({ reason: 'stopped' });
    expect(endingOf({ kind: 'ended' }, { ...known, verdict: 'timeout' })).toMatchObject({
      reason: 'timeout',
      error: { code: 'unresponsive' },
    });
  });

  it('is an error start_failed before the first event, with what the thread or its end said', () => {
    const begun = false;
    const startFailure = { code: 'start_failed', message: 'no such module', cause: 'agent_not_found' };
    expect(endingOf({ kind: 'exited', code: 0 }, { ...known, begun, startFailure })).toEqual({ reason: 'error', error: startFailure });
    expect(endingOf({ kind: 'failed', error: outOfMemory }, { ...known, begun })).toMatchObject({
      reason: 'error',
      error: { code: 'start_failed', cause: 'out_of_memory', message: expect.stringMatching(/^The thread reached .*64 MB/) },
    });
    expect(endingOf({ kind: 'ended' }, { ...known, begun, verdict: 'stopped' })).toEqual({ reason: 'stopped' });
  });
});
