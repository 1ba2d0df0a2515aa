/** The contract of a run in a thread: L4 (intent before effect, across the channel), L2 and L8 (an honest end, one `done`). */
import { describe, expect, it } from 'vitest';
import type { DurableEvent, RunEvent } from '../../src/runtime/schema/event.ts';
import { isDurable } from '../../src/runtime/schema/event.ts';
import { startRun } from '../../src/runtime/start-run.ts';
import { collect, deferred, manualJournal, scriptedModel, text, toolCall, waitForEvent } from '../../src/runtime/testing/index.ts';
import type { FromThread } from '../../src/worker/channel-messages.ts';
import { plainTool } from '../fixtures/worker/plain-tool.ts';
import { linkedRun, turn } from './support/linked-run.ts';

const talk = () => ({
  model: scriptedModel([toolCall('look', { at: 'x' }), text('all is well')]),
  tools: [plainTool('look', 'read', () => 'seen')],
});

/** An event without what differs from run to run. */
function bare({ ...event }: RunEvent): unknown {
  return JSON.parse(JSON.stringify(event, (key, value: unknown) => (/time$|latency_ms|duration_ms|^id$/.test(key) ? undefined : value)));
}

/** A durable event that a test sends in the thread's place. */
function event(seq: number, more: Partial<DurableEvent> = {}): FromThread {
  return {
    type: 'event',
    event: { type: 'warning', run_id: 'run_1', iteration: 0, time: 1, seq, code: 'odd', message: 'odd', ...more } as DurableEvent,
  };
}

describe('a run in a thread', () => {
  it('tells the same as the same run inline, and keeps what streams as well', async () => {
    const inline = await collect(startRun(talk(), 'hello', { id: 'run_1' }));
    const { remote, begin, kept, served } = linkedRun({ agent: talk() });
    const events = collect(remote.run);
    begin();
    expect((await events).filter(isDurable).map(bare)).toEqual(inline.filter(isDurable).map(bare));
    expect(kept.map(bare)).toEqual((await events).filter((event) => !isDurable(event)).map(bare));
    expect(kept.some((event) => event.type === 'text_delta')).toBe(true);
    expect(await remote.run.result).toMatchObject({ run_id: 'run_1', reason: 'finished', final_content: 'all is well', iterations: 2 });
    expect(await remote.run.messages()).toEqual((await remote.run.result).messages);
    await served;
    await remote.over;
  });

  it('runs no call with an effect before the host has kept its intent', async () => {
    const ran = deferred();
    const journal = manualJournal();
    const agent = { model: scriptedModel([toolCall('send'), text('sent')]), tools: [plainTool('send', 'write', () => ran.resolve())] };
    const { remote, begin } = linkedRun({ agent, journal, onEvent: ({ type }) => type === 'tool_call' && journal.hold() });
    begin();
    const started = await waitForEvent(remote.run, 'tool_started');
    await journal.whenCommitAsked(started.seq - 1);
    await turn();
    expect(await Promise.race([ran.promise.then(() => 'ran'), turn().then(() => 'waits')])).toBe('waits');
    journal.release();
    await ran.promise;
    expect((await remote.run.result).reason).toBe('finished');
  });

  it('ends at the next call with an effect when the host cannot keep its events', async () => {
    const journal = manualJournal();
    let ran = false;
    const agent = { model: scriptedModel([toolCall('send'), text('sent')]), tools: [plainTool('send', 'write', () => (ran = true))] };
    journal.fail(Object.assign(new Error('the disk is full'), { code: 'ENOSPC' }));
    const { remote, begin } = linkedRun({ agent, journal });
    begin();
    expect(await remote.run.result).toMatchObject({ reason: 'error', error: { code: 'journal_unavailable' } });
    expect(ran).toBe(false);
    const warning = journal.events.find((event) => event.type === 'warning');
    expect(warning).toMatchObject({ code: 'journal_unavailable', message: expect.stringContaining('the disk is full') });
  });

  it('shows what a tool emits as plain data, also what could not cross, as the loop does inline', async () => {
    const odd = plainTool('odd', 'read', ({ emit }) => {
      emit('fine', 1);
      emit('odd', (() => 1) as unknown as string);
      emit('fine', 2);
    });
    const { remote, begin } = linkedRun({ agent: { model: scriptedModel([toolCall('odd'), text('done')]), tools: [odd] } });
    const events = collect(remote.run);
    begin();
    expect((await remote.run.result).reason).toBe('finished');
    const seen = (await events).filter((event) => event.type === 'custom' || event.type === 'status');
    expect(seen).toMatchObject([
      { name: 'fine', data: 1 },
      { name: 'odd', data: '[function]' },
      { name: 'fine', data: 2 },
    ]);
  });

  it('ends with what the thread said when the run could not begin', async () => {
    const agent = { model: scriptedModel([text('no')]), config: { max_cost_usd: 1 } };
    const { remote, begin } = linkedRun({ agent });
    const events = collect(remote.run);
    begin();
    expect(await remote.run.result).toMatchObject({ reason: 'error', error: { code: 'start_failed', cause: 'price_unknown' } });
    expect((await events).map(({ type }) => type)).toEqual(['done']);
  });

  it('answers pings while the loop is at work', async () => {
    const hold = deferred();
    const agent = { model: scriptedModel([text('at last', { gate: hold.promise })]) };
    const { remote, begin, timers } = linkedRun({ agent });
    begin();
    await waitForEvent(remote.run, 'iteration_started');
    for (let round = 0; round < 3; round++) {
      await turn();
      timers.fire('ping');
    }
    hold.resolve();
    expect((await remote.run.result).reason).toBe('finished');
  });
});

describe('a run whose thread dies', () => {
  it('ends behind every event that was on its way, with numbers that go on', async () => {
    const { remote, channel, begin, die } = linkedRun();
    const events = collect(remote.run);
    begin();
    channel.toLeft.hold();
    for (const seq of [1, 2, 3]) channel.right.post(event(seq));
    die({ kind: 'exited', code: 7 });
    await turn();
    channel.toLeft.release();
    const seen = (await events).filter(isDurable);
    expect(seen.map(({ seq, type, origin }) => [seq, type, origin])).toEqual([
      [1, 'warning', undefined],
      [2, 'warning', undefined],
      [3, 'warning', undefined],
      [4, 'done', 'host'],
    ]);
    expect(await remote.run.result).toMatchObject({ reason: 'crashed', error: { code: 'thread_exited' } });
    await remote.over;
  });

  it('gives every accepted control its fate, and says of the others that they were not accepted', async () => {
    const { remote, channel, begin, die } = linkedRun();
    begin();
    const accepted = remote.run.inject('be short', { id: 'c1' });
    channel.right.post(
      event(1, { type: 'control_received', control_id: 'c1', control: { type: 'inject', id: 'c1', message: 'be short' } }),
    );
    expect(await accepted.accepted).toEqual({ ok: true });
    const lost = remote.run.inject('anybody there?', { id: 'c2' });
    die({ kind: 'failed', error: new Error('boom') });
    expect(await accepted.fate).toEqual({ kind: 'returned', reason: 'run_crashed', text: 'be short' });
    expect(await lost.accepted).toMatchObject({ ok: false, reason: 'crashed' });
    expect(await lost.fate).toMatchObject({ kind: 'rejected' });
    expect((await remote.run.result).unseen).toEqual([{ control_id: 'c1', message: 'be short' }]);
    expect(await remote.run.inject('too late').accepted).toMatchObject({ ok: false, reason: 'run_over' });
  });

  it('keeps the loop’s own end when the thread dies behind it', async () => {
    const { remote, begin } = linkedRun({ agent: talk() });
    const events = collect(remote.run);
    begin();
    await remote.over;
    expect((await events).filter((event) => event.type === 'done')).toMatchObject([{ reason: 'finished' }]);
    expect((await events).at(-1)).toMatchObject({ type: 'done' });
  });

  it('crashes with its place when the thread sends what does not fit', async () => {
    const gap = linkedRun();
    gap.begin();
    gap.channel.right.post(event(1));
    gap.channel.right.post(event(3));
    expect(await gap.remote.run.result).toMatchObject({
      reason: 'crashed',
      error: { code: 'channel_error', message: expect.stringContaining('event 2') },
    });

    const odd = linkedRun();
    odd.begin();
    odd.channel.right.post(event(1));
    odd.channel.right.post({ type: 'event', event: { type: 'done', seq: 2 } } as unknown as FromThread);
    expect(await odd.remote.run.result).toMatchObject({ reason: 'crashed', error: { code: 'channel_error' } });
  });

  it('names the two versions when host and thread come from different ones', async () => {
    const { remote, channel, begin } = linkedRun();
    begin();
    channel.right.post({ type: 'ready', version: 99, thread_id: 1 });
    expect(await remote.run.result).toMatchObject({
      reason: 'error',
      error: { code: 'start_failed', cause: 'channel_version', message: expect.stringContaining('99') },
    });
  });

  it('shows no key in what the host says of its end, neither the caller’s nor the agent’s', async () => {
    const { remote, channel, begin, die } = linkedRun({ secrets: ['sk-of-the-caller'] });
    begin();
    channel.right.post({ type: 'keys', keys: ['sk-of-the-agent'] });
    die({ kind: 'failed', error: new Error('401 for sk-of-the-caller and sk-of-the-agent') });
    expect((await remote.run.result).error?.message).toContain('401 for [redacted] and [redacted]');
  });
});

describe('a run in a thread that is told to stop', () => {
  it('is stopped by its loop', async () => {
    const { remote, begin } = linkedRun({ agent: { model: scriptedModel([{ hang: 'before' }]) } });
    begin();
    await waitForEvent(remote.run, 'iteration_started');
    await turn();
    const { accepted, fate } = remote.run.stop({ reason: 'enough' });
    expect(await accepted).toEqual({ ok: true });
    expect(await fate).toEqual({ kind: 'applied' });
    expect((await remote.run.result).reason).toBe('stopped');
  });

  it('is stopped by the host when the grace is over and the thread is still there', async () => {
    const { remote, channel, begin, timers } = linkedRun();
    const events = collect(remote.run);
    begin();
    channel.right.post(event(1));
    await waitForEvent(remote.run, 'warning');
    const { accepted, fate } = remote.run.stop();
    timers.fire('grace');
    expect(await accepted).toMatchObject({ ok: false, reason: 'run_over' });
    expect(await fate).toMatchObject({ kind: 'rejected' });
    expect((await remote.run.result).reason).toBe('stopped');
    expect((await events).at(-1)).toMatchObject({ type: 'done', origin: 'host', seq: 2 });
  });

  it('ends at once while it has no thread, with `done` alone', async () => {
    const { remote } = linkedRun();
    const events = collect(remote.run);
    remote.run.stop();
    expect((await remote.run.result).reason).toBe('stopped');
    expect((await events).map(({ type }) => type)).toEqual(['done']);
    await remote.over;
  });

  it('is ended by the host as timed out when its limit has passed and it does not answer', async () => {
    const { remote, channel, begin, timers } = linkedRun();
    begin();
    channel.right.post(
      event(1, {
        type: 'run_started',
        input: [],
        stop_on: 'text',
        tools: [],
        config: { timeout_ms: 60 },
        model: { provider: 'p', model: 'm' },
        prices: null,
      }),
    );
    await waitForEvent(remote.run, 'run_started');
    timers.fire('run_timeout');
    timers.advance(2_000);
    expect(await remote.run.result).toMatchObject({ reason: 'timeout', error: { code: 'unresponsive' } });
  });
});

describe('a control of a run in a thread', () => {
  it('has one receipt for one id and content, and is refused for another content', async () => {
    const { remote, begin, die } = linkedRun();
    begin();
    const first = remote.run.inject('one', { id: 'same' });
    expect(remote.run.inject('one', { id: 'same' })).toBe(first);
    expect(await remote.run.inject('two', { id: 'same' }).accepted).toMatchObject({ ok: false, reason: 'id_reused' });
    die({ kind: 'ended' });
    await remote.over;
  });

  it('is refused here when it is not valid or no plain data', async () => {
    const { remote, begin, die } = linkedRun();
    begin();
    expect(await remote.run.inject('  ').accepted).toMatchObject({
      ok: false,
      reason: 'invalid',
      message: expect.stringContaining('blanks'),
    });
    const odd = { type: 'inject', message: () => 'hi' } as unknown as Parameters<typeof remote.run.send>[0];
    expect(await remote.run.send(odd).accepted).toMatchObject({
      ok: false,
      reason: 'invalid',
      message: expect.stringContaining('control.message'),
    });
    die({ kind: 'ended' });
    await remote.over;
  });

  it('is refused when too many wait for an answer, but for a stop', async () => {
    const { remote, channel, begin } = linkedRun();
    begin();
    const receipts = Array.from({ length: 65 }, (_, index) => remote.run.inject(`message ${index}`));
    expect(await receipts.at(-1)?.accepted).toMatchObject({ ok: false, reason: 'queue_full' });
    const stop = remote.run.stop();
    channel.right.post(event(1, { type: 'control_received', control_id: stop.id, control: { type: 'stop', id: stop.id } }));
    expect(await stop.accepted).toEqual({ ok: true });
    channel.right.post({ type: 'refused', id: receipts[0]?.id ?? '', reason: 'queue_full' });
    expect(await receipts[0]?.accepted).toMatchObject({ ok: false, reason: 'queue_full' });
  });
});
