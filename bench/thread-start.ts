/** From `host.start` to the first event, cold and warm, beside the first message of a bare thread and a bare piscina task. */
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { builtWorker, STREAMING_AGENT } from './built-host.ts';
import { type Measurement, median, printGroup } from './measure.ts';

const PROGRAM = fileURLToPath(new URL('./programs/thread-start.js', import.meta.url));
const ROUNDS = 25;

/** Measures and prints the group. Throws when the package has not been built. */
export async function benchThreadStart(): Promise<void> {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, builtWorker(), STREAMING_AGENT, String(ROUNDS)], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the measured process failed: ${stderr}`);
  const samples = JSON.parse(stdout) as Record<string, number[]>;
  printGroup('start of a thread', Object.entries(samples).map(measurementOf));
}

function measurementOf([name, values]: readonly [string, readonly number[]]): Measurement {
  return { name, unit: 'ms', median: median(values), best: Math.min(...values), worst: Math.max(...values) };
}
