/** The host as it is shipped: threads are measured from the built package, since from source each one compiles what it loads. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ENTRY = new URL('../dist/worker/index.js', import.meta.url);

/** Path of the agent that the benches run in threads. Its input is the number of deltas it is to stream. */
export const STREAMING_AGENT = fileURLToPath(new URL('./agents/streaming-agent.js', import.meta.url));

/** URL of the worker part of the built package. Throws when it has not been built. */
export function builtWorker(): string {
  if (!existsSync(ENTRY)) throw new Error('dist is missing: run `npm run build` first (`npm run bench` does)');
  return ENTRY.href;
}
