/** `npm run bench`: every group of measurements in one run, or only those whose name contains an argument. */
import process from 'node:process';
import { benchChannel, benchThreadDeltas } from './channel.ts';
import { benchImportTime } from './import-time.ts';
import { benchDeltas, benchIterations } from './loop.ts';
import { benchRetained } from './retained.ts';
import { benchThreadStart } from './thread-start.ts';

/** The groups, in the order in which they print. Each prints its own table. */
const GROUPS: Readonly<Record<string, () => Promise<void>>> = {
  'import-time': benchImportTime,
  iterations: benchIterations,
  deltas: benchDeltas,
  retained: benchRetained,
  channel: benchChannel,
  'thread-deltas': benchThreadDeltas,
  'thread-start': benchThreadStart,
};

const wanted = process.argv.slice(2);
const names = Object.keys(GROUPS).filter((name) => wanted.length === 0 || wanted.some((word) => name.includes(word)));
if (names.length === 0) throw new Error(`no group of the bench matches ${wanted.join(' ')}; there are ${Object.keys(GROUPS).join(', ')}`);

console.log(`node ${process.version} on ${process.platform} ${process.arch}`);
for (const name of names) await GROUPS[name]?.();
