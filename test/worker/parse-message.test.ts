import { describe, expect, it } from 'vitest';
import { CHANNEL_VERSION } from '../../src/worker/channel-messages.ts';
import { parseFromThread, parseToThread } from '../../src/worker/parse-message.ts';

const start = {
  type: 'start',
  version: CHANNEL_VERSION,
  run_id: 'run_1',
  agent: { kind: 'module', specifier: 'file:///agent.js' },
  input: 'hello',
  grace_ms: 100,
  secrets: [],
};

describe('a message of the channel', () => {
  it('passes when it fits, in both directions', () => {
    expect(parseToThread(start)).toEqual(start);
    expect(parseToThread({ type: 'ack', committed_seq: 3, delta_batches: 0 })).toEqual({ type: 'ack', committed_seq: 3, delta_batches: 0 });
    const ready = { type: 'ready', version: CHANNEL_VERSION, thread_id: 4 };
    expect(parseFromThread(ready)).toEqual(ready);
  });

  it('is refused with its place when a field is wrong, too much, or missing', () => {
    expect(() => parseToThread({ ...start, grace_ms: 'soon' })).toThrow(/host.*grace_ms/);
    expect(() => parseToThread({ ...start, surprise: 1 })).toThrow(/surprise/);
    expect(() => parseFromThread({ type: 'event', event: { type: 'done', seq: 1 } })).toThrow(/thread.*event/);
    expect(() => parseFromThread('hello')).toThrow(/does not fit the channel/);
  });

  it('is refused by its version before anything else is looked at', () => {
    const newer = { type: 'start', version: CHANNEL_VERSION + 1, something: 'else' };
    expect(() => parseToThread(newer)).toThrow(
      expect.objectContaining({ code: 'channel_version', message: expect.stringContaining('Install it once') }),
    );
    expect(() => parseFromThread({ type: 'ready', version: 0 })).toThrow(expect.objectContaining({ code: 'channel_version' }));
  });

  it('never names a process group that a signal would take for everybody', () => {
    for (const pid of [0, 1, -5, 1.5]) expect(() => parseFromThread({ type: 'child', pid, state: 'started' })).toThrow(/pid/);
    expect(parseFromThread({ type: 'child', pid: 2, state: 'exited' })).toMatchObject({ pid: 2 });
  });
});
