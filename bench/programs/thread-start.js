/**
 * Measures starts of threads in a process of its own, without the loaders that the bench itself runs with: threads inherit
 * them. Arguments: URL of the built worker part, path of an agent, rounds. Prints the samples of each case in milliseconds, as JSON.
 */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';

const [entry, agent, rounds] = process.argv.slice(2);
const { createHost } = await import(entry);
const TASK = fileURLToPath(new URL('../agents/greeting-task.cjs', import.meta.url));
const WARMUP = 3;
/** Long enough for the next thread to have loaded. */
const WARM_MS = 150;

async function bareThread() {
  const begin = performance.now();
  const worker = new Worker("require('node:worker_threads').parentPort.postMessage('hello')", { eval: true });
  const exit = once(worker, 'exit');
  await once(worker, 'message');
  const elapsed = performance.now() - begin;
  await exit;
  return elapsed;
}

async function bareTask() {
  const begin = performance.now();
  const pool = new Piscina({ filename: TASK, minThreads: 0, maxThreads: 1, atomics: 'disabled' });
  await pool.run(undefined);
  const elapsed = performance.now() - begin;
  await pool.destroy();
  return elapsed;
}

async function firstEvent(host) {
  let elapsed = 0;
  const begin = performance.now();
  const onEvent = () => {
    elapsed ||= performance.now() - begin;
  };
  const run = await host.start({ agent, input: '1', onEvent });
  await run.result;
  return elapsed;
}

// Waiting for the end of an idle pool does not keep a process up.
const hold = setInterval(() => {}, 1_000);
const cold = createHost({ warmThreads: 0 });
const warm = createHost({ warmThreads: 1 });
const cases = {
  'bare thread, first message': bareThread,
  'bare piscina task, cold': bareTask,
  'host.start to the first event, cold': () => firstEvent(cold),
  'host.start to the first event, warm': async () => {
    const elapsed = await firstEvent(warm);
    await delay(WARM_MS);
    return elapsed;
  },
};
const samples = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
for (let round = -WARMUP; round < Number(rounds); round++) {
  for (const [name, work] of Object.entries(cases)) {
    const elapsed = await work();
    if (round >= 0) samples[name].push(elapsed);
  }
}
await Promise.all([cold.close(), warm.close()]);
clearInterval(hold);
console.log(JSON.stringify(samples));
