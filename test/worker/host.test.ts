/** The host: what it refuses before a thread starts, how runs share it, and what crosses (cases Q3, L10). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RunInput } from '../../src/runtime/start-options.ts';
import { collect, deferred, manualJournal, waitForEvent } from '../../src/runtime/testing/index.ts';
import { createHost, type HostRecording, type HostStartOptions, type ThreadOutput } from '../../src/worker/index.ts';
import { fixture, threadHost } from './support/thread-host.ts';

const TROUBLE = fixture('trouble-agent');

describe('a host refuses before a thread starts', () => {
  const start = (options: Partial<HostStartOptions>) => threadHost().start({ agent: TROUBLE, input: 'fine', ...options });

  it('an empty input, a bad config and a bad key', async () => {
    await expect(start({ input: '  ' })).rejects.toMatchObject({ code: 'empty_input' });
    await expect(start({ config: { max_iterations: 0 } })).rejects.toMatchObject({
      code: 'invalid_config',
      message: expect.stringContaining('max_iterations'),
    });
    await expect(start({ key: ' ' })).rejects.toMatchObject({ code: 'invalid_key' });
    await expect(start({ heapMb: 3 })).rejects.toMatchObject({ code: 'invalid_option', message: expect.stringContaining('heapMb') });
  });

  it('an agent module that is not there', async () => {
    await expect(start({ agent: './no-such-agent.js' })).rejects.toMatchObject({ code: 'agent_not_found' });
  });

  it('what cannot cross into a thread, by its path', async () => {
    const agent = { model: { respond: () => 1 } } as unknown as HostStartOptions['agent'];
    await expect(start({ agent })).rejects.toMatchObject({
      code: 'cannot_cross',
      message: expect.stringMatching(/agent\.model\.respond is a function.*defineAgent/),
    });
    const config = { max_iterations: new Map() } as unknown as HostStartOptions['config'];
    await expect(start({ config })).rejects.toMatchObject({
      message: expect.stringContaining('config.max_iterations is an instance of Map'),
    });
    const input = [{ role: 'user', content: [{ type: 'text', text: 'x', provider_data: { at: new Date() } }] }] as unknown as RunInput;
    await expect(start({ input })).rejects.toMatchObject({
      message: expect.stringContaining('input[0].content[0].provider_data.at is an instance of Date'),
    });
  });

  it('agent data with a model, a script or a manifest that is not right', async () => {
    const data = (agent: unknown) => start({ agent: agent as HostStartOptions['agent'] });
    await expect(data({ model: 'nobody:knows' })).rejects.toMatchObject({
      code: 'unknown_model_spec',
      message: expect.stringContaining('nobody:knows'),
    });
    await expect(data({ model: 'script:/nowhere/x.json' })).rejects.toMatchObject({ code: 'script_unreadable' });
    await expect(data({ modell: 'x' })).rejects.toMatchObject({ code: 'invalid_agent', message: expect.stringContaining('modell') });
  });

  it('options that cannot be', () => {
    expect(() => createHost({ maxThreads: 0 })).toThrow(/maxThreads is 0/);
    expect(() => createHost({ maxThreads: 10_000 })).toThrow(/at most 512/);
    expect(() => createHost({ pingMs: 1.5 })).toThrow(/pingMs/);
  });

  it('a second run with the key of one that is live, of the same owner', async () => {
    const host = threadHost();
    const options = { agent: TROUBLE, input: 'hang', key: 'ticket-1' };
    const first = await host.start(options);
    await expect(host.start(options)).rejects.toMatchObject({ code: 'key_in_use', message: expect.stringContaining('ticket-1') });
    const other = await host.start({ ...options, input: 'fine', owner: 'somebody else' });
    expect((await other.result).reason).toBe('finished');
    first.stop();
    await first.result;
    expect((await (await host.start({ ...options, input: 'fine' })).result).reason).toBe('finished');
  });

  it('before it asks for the recording, so that none is left behind', async () => {
    let asked = 0;
    const recording = async () => {
      asked += 1;
      return { append: () => {}, journalFor: () => manualJournal() };
    };
    await expect(start({ recording, input: ' ' })).rejects.toMatchObject({ code: 'empty_input' });
    await expect(start({ recording, agent: { model: 'nobody:knows' } })).rejects.toMatchObject({ code: 'unknown_model_spec' });
    await expect(start({ recording, heapMb: 3 })).rejects.toMatchObject({ code: 'invalid_option' });
    expect(asked).toBe(0);
    expect((await (await start({ recording })).result).reason).toBe('finished');
    expect(asked).toBe(1);
  });

  it('a run whose recording cannot be opened, or that closes meanwhile; its key is free again', async () => {
    const host = threadHost();
    const options = { agent: TROUBLE, input: 'fine', key: 'ticket-1' };
    const full = new Error('the disk is full');
    await expect(host.start({ ...options, recording: () => Promise.reject(full) })).rejects.toBe(full);
    const opening = deferred<HostRecording>();
    const asked = deferred();
    const recording = () => {
      asked.resolve();
      return opening.promise;
    };
    const start = host.start({ ...options, recording });
    await asked.promise;
    await host.close();
    opening.resolve({ append: () => {}, journalFor: () => manualJournal() });
    await expect(start).rejects.toMatchObject({ code: 'host_closed' });
  });

  it('everything once it is closed', async () => {
    const host = createHost();
    await host.close();
    await expect(host.start({ agent: TROUBLE, input: 'fine' })).rejects.toMatchObject({ code: 'host_closed' });
  });
});

describe('an agent module that cannot be used', () => {
  it.each([
    ['of a package that is not installed', 'no-such-package-here', 'agent_not_found', /no-such-package-here/],
    ['that throws while it is loaded', fixture('throwing-module'), 'agent_failed', /not today/],
    [
      'of a kind that Node does not load',
      fileURLToPath(new URL('../../README.md', import.meta.url)),
      'agent_failed',
      /Compile it to JavaScript/,
    ],
    ['without a default export', fixture('plain-tool'), 'agent_missing', /export default defineAgent/],
    ['whose default export is no agent', fixture('not-an-agent'), 'agent_invalid', /respond/],
    ['that exits while it is loaded', fixture('exiting-module'), 'thread_exited', /process\.exit\(3\)/],
  ])('%s ends the run with `done` alone, which says what to do', async (_what, agent, cause, message) => {
    const run = await threadHost().start({ agent, input: 'hi' });
    const events = await collect(run);
    expect(events.map(({ type }) => type)).toEqual(['done']);
    expect(await run.result).toMatchObject({
      reason: 'error',
      error: { code: 'start_failed', cause, message: expect.stringMatching(message) },
    });
  });

  it('ends the run when its heap is too small to load it', async () => {
    const run = await threadHost({ heapMb: 16 }).start({ agent: fixture('large-module'), input: 'hi' });
    expect(await run.result).toMatchObject({ reason: 'error', error: { code: 'start_failed', cause: 'out_of_memory' } });
  });
});

describe('runs on one host', () => {
  it('wait for a thread when all are taken, in order, and can be stopped while they wait', async () => {
    const host = threadHost({ maxThreads: 1 });
    const first = await host.start({ agent: TROUBLE, input: 'hang' });
    const second = await host.start({ agent: TROUBLE, input: 'fine' });
    const third = await host.start({ agent: TROUBLE, input: 'fine' });
    await waitForEvent(first, 'iteration_started');
    second.stop();
    expect(await second.result).toMatchObject({ reason: 'stopped', iterations: 0 });
    first.stop();
    expect((await first.result).reason).toBe('stopped');
    expect((await third.result).reason).toBe('finished');
  });

  it('have a thread each that nobody had before, also where threads are kept warm', async () => {
    const host = threadHost({ warmThreads: 2 });
    const counts: unknown[] = [];
    for (let count = 0; count < 3; count++) {
      const run = await host.start({ agent: fixture('counting-agent'), input: 'hi' });
      counts.push((await run.result).final_content);
    }
    expect(counts).toEqual(['run 1 of this thread', 'run 1 of this thread', 'run 1 of this thread']);
  });

  it('hear a control although the model streams without leaving the event loop a turn', async () => {
    const run = await threadHost({ graceMs: 60_000 }).start({ agent: fixture('babbling-agent'), input: 'hi' });
    await waitForEvent(run, 'text_delta');
    expect(await run.stop().accepted).toEqual({ ok: true });
    const result = await run.result;
    expect(result.reason).toBe('stopped');
    expect(result.final_content).toContain('bla bla');
  });

  it('end stopped when the host closes', async () => {
    const host = createHost({ warmThreads: 0 });
    const run = await host.start({ agent: TROUBLE, input: 'hang' });
    await waitForEvent(run, 'iteration_started');
    const closing = host.close();
    expect(host.close()).toBe(closing);
    await closing;
    expect((await run.result).reason).toBe('stopped');
  });
});

describe('an agent as data', () => {
  it('runs in its thread with its script and the command tools of its manifest', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'steerloop-host-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [script, manifest] = [join(folder, 'script.json'), join(folder, 'tools.yaml')];
    writeFileSync(
      script,
      JSON.stringify({ steps: [{ tool_calls: [{ name: 'greet', arguments: {} }] }, { text: 'It said {{last_result}}.' }] }),
    );
    writeFileSync(manifest, 'tools:\n  - name: greet\n    description: Greets.\n    command: ["printf", "hello"]\n');
    const run = await threadHost().start({
      agent: { model: `script:${script}`, tools: manifest },
      input: 'go',
      config: { max_iterations: 5 },
    });
    expect(await run.result).toMatchObject({ reason: 'finished', final_content: 'It said hello.', iterations: 2 });
    expect((await collect(run)).find(({ type }) => type === 'run_started')).toMatchObject({ config: { max_iterations: 5 } });
  });
});

describe('what crosses from a thread', () => {
  it('is plain content, whatever a tool returns', async () => {
    const run = await threadHost().start({ agent: TROUBLE, input: 'odd_value' });
    const result = await waitForEvent(run, 'tool_result');
    const [block] = result.content;
    expect(block?.type === 'text' && block.text).toMatch(/1970-01-01.*10.*E_IN.*inside/s);
    expect((await run.result).reason).toBe('finished');
  });

  it('is not what it prints: that goes to the callback and never to stdout', async () => {
    const output: ThreadOutput[] = [];
    const host = threadHost({ onOutput: (piece) => output.push(piece) });
    const run = await host.start({ agent: TROUBLE, input: 'print' });
    await run.result;
    await host.close();
    expect(textOf(output, 'stdout')).toBe(Array.from({ length: 200 }, (_, line) => `printed ${line + 1}\n`).join(''));
    expect(textOf(output, 'stderr')).toContain('to stderr');
    expect(new Set(output.map(({ runId }) => runId))).toEqual(new Set([run.id]));
  });

  it('holds no key that the caller named', async () => {
    const run = await threadHost().start({ agent: TROUBLE, input: 'say sk-live-12345678', secrets: ['sk-live-12345678'] });
    const events = JSON.stringify(await collect(run));
    expect(events).toContain('say [redacted]');
    expect(events).not.toContain('sk-live-12345678');
  });
});

function textOf(output: readonly ThreadOutput[], stream: ThreadOutput['stream']): string {
  return output
    .filter((piece) => piece.stream === stream)
    .map(({ text }) => text)
    .join('');
}
