/** How many bytes a run keeps for each iteration behind it: with its journal in memory, and with a journal that lies elsewhere. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { memoryJournal, type Run, startRun } from '../src/runtime/index.ts';
import type { Journal } from '../src/runtime/ports.ts';
import { benchAgent } from './loop.ts';
import { measure, printGroup } from './measure.ts';

const ITERATIONS = 1_000;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Keeps nothing, as a thread's journal does, whose events lie with the host. */
const elsewhere: Journal = { append: () => {}, commit: () => Promise.resolve(), read: () => Promise.resolve([]) };

async function retained(journal: Journal): Promise<number> {
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const run: Run = startRun(benchAgent(ITERATIONS, 0), 'go', { journal });
  const { iterations } = await run.result;
  collectGarbage();
  const bytes = process.memoryUsage().heapUsed - before;
  // Used behind the measurement, so that neither the run nor its journal was garbage during it.
  if (iterations !== ITERATIONS || (await run.messages()).length !== 2 * ITERATIONS) throw new Error('the measured run went wrong');
  return bytes;
}

/** Bytes retained an iteration. */
export async function benchRetained(): Promise<void> {
  const cases = { 'journal elsewhere': () => retained(elsewhere), 'journal in memory': () => retained(memoryJournal()) };
  printGroup('bytes retained an iteration', await measure(cases, { unit: 'bytes', operations: ITERATIONS, warmup: 3, rounds: 9 }));
}
