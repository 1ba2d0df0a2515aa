/**
 * What a streamed delta costs over the channel: the host's part alone, joined per tick beside posting each alone, and the
 * whole way through a thread beside the minimal loop inline.
 */
import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { systemClock } from '../src/runtime/default-ports.ts';
import { memoryJournal, startRun } from '../src/runtime/index.ts';
import type { EphemeralEvent } from '../src/runtime/schema/event.ts';
import { DeltaBatch } from '../src/worker/delta-batch.ts';
import { parseFromThread } from '../src/worker/parse-message.ts';
import { RunMirror } from '../src/worker/run-mirror.ts';
import { builtWorker, STREAMING_AGENT } from './built-host.ts';
import { measure, medianOf, printGroup } from './measure.ts';
import { minimalLoop } from './minimal-loop.ts';

const DELTAS = 20_000;
/** Of one run in a thread: enough for the thread's code to be compiled, as it is in a conversation of some length. */
const THREAD_DELTAS = 200_000;
/** How many deltas one read from the network brings. */
const DELTAS_A_TICK = 8;

const delta: EphemeralEvent = {
  type: 'text_delta',
  run_id: 'run_1',
  iteration: 1,
  time: 1_800_000_000_000,
  attempt: 1,
  text: 'some text ',
};

/** Microseconds in which a host takes in what `send` posts, from the first message to the last. */
async function hostTakes(send: (post: (events: readonly EphemeralEvent[]) => void) => void): Promise<number> {
  const { port1, port2 } = new MessageChannel();
  send((events) => port2.postMessage({ type: 'deltas', events }));
  port2.close();
  const mirror = new RunMirror({ runId: 'run_1', journal: memoryJournal(), clock: systemClock, acknowledge: () => {} });
  let characters = 0;
  const begin = performance.now();
  port1.on('message', (data) => {
    const message = parseFromThread(data);
    if (message.type !== 'deltas') return;
    mirror.show(message.events);
    for (const event of message.events) if (event.type === 'text_delta') characters += event.text.length;
  });
  await once(port1, 'close');
  if (characters !== DELTAS * 'some text '.length) throw new Error(`the host took in ${characters} characters`);
  return (performance.now() - begin) * 1_000;
}

function sendEach(post: (events: readonly EphemeralEvent[]) => void): void {
  for (let count = 0; count < DELTAS; count++) post([delta]);
}

function sendJoined(post: (events: readonly EphemeralEvent[]) => void): void {
  let turn = (): void => {};
  const batch = new DeltaBatch({ post, nextTurn: (call) => (turn = call), later: (call) => (turn = call), now: () => 0 });
  for (let count = 1; count <= DELTAS; count++) {
    batch.push(delta);
    if (count % DELTAS_A_TICK !== 0) continue;
    turn();
    batch.hasRead(count);
  }
}

/** The host's part of a delta. */
export async function benchChannel(): Promise<void> {
  const cases = { 'each posted alone': () => hostTakes(sendEach), 'joined per tick': () => hostTakes(sendJoined) };
  const measured = await measure(cases, { unit: 'µs', operations: DELTAS, warmup: 3, rounds: 15 });
  const ratio = medianOf(measured, 'joined per tick') / medianOf(measured, 'each posted alone');
  printGroup(`a streamed delta over the channel, the host's thread, ${DELTAS_A_TICK} a tick`, measured, [
    { text: 'of posting each alone', value: ratio, limit: 0.2 },
  ]);
}

/** The whole way of a delta, from a model in a thread to a listener in the host. */
export async function benchThreadDeltas(): Promise<void> {
  const { createHost }: typeof import('../src/worker/index.ts') = await import(builtWorker());
  const host = createHost({ warmThreads: 0 });
  const agent = (await import(STREAMING_AGENT)).default;
  const cases = {
    'minimal loop, inline': async () => {
      await minimalLoop({ model: chunks, tool: async () => '', onEvent: () => {}, signal: new AbortController().signal, steering: [] });
    },
    'steerloop, inline': async () => {
      await startRun({ ...agent, hooks: { onEvent: () => {} } }, String(THREAD_DELTAS)).result;
    },
    'steerloop, in a thread': async () => {
      let begin = 0;
      const onEvent = ({ type }: { type: string }) => {
        if (type === 'iteration_started') begin = performance.now();
      };
      const run = await host.start({ agent: STREAMING_AGENT, input: String(THREAD_DELTAS), onEvent });
      const { reason } = await run.result;
      if (reason !== 'finished') throw new Error(`the measured run ended ${reason}`);
      return (performance.now() - begin) * 1_000;
    },
  };
  try {
    const measured = await measure(cases, { unit: 'µs', operations: THREAD_DELTAS, warmup: 1, rounds: 7 });
    const ratio = medianOf(measured, 'steerloop, in a thread') / medianOf(measured, 'minimal loop, inline');
    printGroup(`a streamed delta, ${DELTAS_A_TICK} a read`, measured, [
      { text: 'times the minimal loop inline, from a thread', value: ratio, limit: 3 },
    ]);
  } finally {
    await host.close();
  }
}

/** The stream of the agent in the thread, for the minimal loop. */
async function* chunks() {
  for (let count = 0; count < THREAD_DELTAS; count++) {
    if (count % DELTAS_A_TICK === 0) await new Promise((resolve) => setImmediate(resolve));
    yield { delta: 'some text ' };
  }
  yield { reply: { role: 'assistant' as const, text: 'done' } };
}
