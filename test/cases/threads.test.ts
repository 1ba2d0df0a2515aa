/** Cases in a thread of their own: the same as inline, and cases Q1 and Q3 (L2, L8). */
import { describe, expect, it, onTestFinished } from 'vitest';
import { isDurable, type RunEvent } from '../../src/runtime/schema/event.ts';
import { startRun } from '../../src/runtime/start-run.ts';
import { collect, waitForEvent } from '../../src/runtime/testing/index.ts';
import { createWorkspace } from '../cli/support/workspace.ts';
import oddValuesAgent from '../fixtures/worker/odd-values-agent.ts';
import { ECHO_PREFIX, startEchoingProvider } from '../support/echoing-provider.ts';
import { SHARED_FOLDER, SKIPPED, warnWhenSkipped } from '../support/shared-inputs.ts';
import { fixture, threadHost } from '../worker/support/thread-host.ts';
import { only, results, textOf } from './support/readings.ts';
import { playThrough, type ThroughOptions } from './support/three-ways.ts';

warnWhenSkipped('whether runs in threads are those that run inline');

const ECHO = `tools:
  - name: echo
    command: [printf, "echo %s", "{{.v}}"]
    parameters: {type: object, properties: {v: {}}}
  - name: other
    command: [echo, other]
`;

/** What happened, without what differs from run to run. */
function gist(events: readonly RunEvent[]) {
  const done = events.at(-1);
  return {
    types: events.filter(isDurable).map(({ type }) => type),
    results: results(events).map(([, outcome, text]) => [outcome, text]),
    usage: only(events, 'llm_turn').map(({ usage }) => usage),
    end: done?.type === 'done' && [done.reason, done.final_content],
  };
}

describe.skipIf(SHARED_FOLDER === undefined)(`a case in a thread${SKIPPED}`, () => {
  it.each<[string, NonNullable<ThroughOptions['provider']>]>([
    ['A6', 'anthropic'],
    ['D1', 'anthropic'],
    ['D3', 'openai-compatible'],
    ['H3', 'openai-compatible'],
  ])('%s (%s) is the same as inline, and so are its requests', async (id, provider) => {
    const inline = await playThrough('inline', id, { provider, manifest: ECHO });
    const threaded = await playThrough('in a thread', id, { provider, manifest: ECHO });

    expect(gist(threaded.events)).toEqual(gist(inline.events));
    expect(threaded.server.seen.map(({ body }) => masked(body))).toEqual(inline.server.seen.map(({ body }) => masked(body)));
  });
});

/** A request with the ids that the loop made left out. */
function masked(body: object): unknown {
  return JSON.parse(JSON.stringify(body).replace(/"call_[0-9a-z]{10,}"/g, '"<made id>"'));
}

describe('Q1: trouble in some threads', () => {
  it('leaves three healthy loops alone, ends each of the others honestly, and frees their places', async () => {
    const provider = await startEchoingProvider({ v: 'fine' });
    onTestFinished(() => provider.close());
    const { write } = await createWorkspace();
    const healthy = { model: 'openai-compatible:m', base_url: `${provider.url}/v1`, tools: await write('tools.yaml', ECHO) };
    const host = threadHost({ maxThreads: 4, graceMs: 200 });
    const trouble = (input: string) => host.start({ agent: fixture('trouble-agent'), input });
    const [exits, throws, spins] = await Promise.all([trouble('exit_7'), trouble('throw_late'), trouble('spin')]);
    const fine = await Promise.all([1, 2, 3].map(() => host.start({ agent: healthy, input: 'go' })));

    for (const run of fine) expect(await run.result).toMatchObject({ reason: 'finished', final_content: `${ECHO_PREFIX}echo fine` });
    expect(await exits.result).toMatchObject({ reason: 'crashed', error: { code: 'thread_exited' } });
    expect(await throws.result).toMatchObject({ reason: 'crashed', error: { code: 'thread_failed' } });
    await waitForEvent(spins, 'tool_started');
    spins.stop();
    expect((await spins.result).reason).toBe('stopped');
    for (const run of [exits, throws, spins]) expect(only(await collect(run), 'done')).toHaveLength(1);
  });
});

describe('Q3: values that cannot cross a thread border', () => {
  it('come out of a thread as they come out inline', async () => {
    const inline = await collect(startRun(oddValuesAgent, 'go'));
    const run = await threadHost().start({ agent: fixture('odd-values-agent'), input: 'go' });
    const threaded = await collect(run);

    expect(gist(threaded)).toEqual(gist(inline));
    expect((await run.result).reason).toBe('finished');
    const told = new Map(only(threaded, 'tool_result').map((event) => [event.name, textOf(event)]));
    expect(told.get('error_with_code')).toMatch(/RangeError \(E_FAR\): too far\ncaused by Error: inside/);
    expect(told.get('hundred_megabytes')).toMatch(/bytes left out\]$/);
  });
});
