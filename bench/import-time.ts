/** What `import 'steerloop'` costs over a process that imports nothing: whole processes, from the built package. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';
import { measure, medianOf, printGroup } from './measure.ts';

const ENTRY = new URL('../dist/runtime/index.js', import.meta.url);

function runProcess(program: string): void {
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`a measured process failed: ${stderr}`);
}

/** Measures and prints the group. Throws when the package has not been built. */
export async function benchImportTime(): Promise<void> {
  if (!existsSync(ENTRY)) throw new Error('dist is missing: run `npm run build` first (`npm run bench` does)');
  const cases = {
    'empty process': async () => runProcess(''),
    "import 'steerloop'": async () => runProcess(`await import(${JSON.stringify(ENTRY.href)});`),
  };
  const measurements = await measure(cases, { warmup: 3, rounds: 25 });
  const added = medianOf(measurements, "import 'steerloop'") - medianOf(measurements, 'empty process');
  printGroup('import of the library, whole process', measurements, [
    { text: 'milliseconds over an empty process', value: added, limit: 15 },
  ]);
}
