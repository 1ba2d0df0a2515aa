/** What is checked of an installed package; each check rejects with what it saw instead. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { cp, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { type Node, type Printed, ROOT, runProgram } from './install.ts';

const SHIPPED = 'node_modules/steerloop/examples';

/** Type checks a program that uses the package, and the package's own declarations with it. */
export async function checkTypes(consumer: string): Promise<void> {
  await runProgram('node', [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.'], { cwd: consumer });
}

/** Bundles the main entry for a platform without Node, with no other setting. */
export async function checkBundle(consumer: string): Promise<void> {
  const { metafile } = await build({
    stdin: { contents: "export * from 'steerloop';", resolveDir: consumer },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  const left = Object.values(metafile.outputs).flatMap(({ imports }) => imports.filter(({ external }) => external));
  equal(left.map(({ path }) => path).join(' '), '');
}

/** Imports every subpath. */
export async function checkImports(consumer: string, { env }: Node): Promise<void> {
  const { stdout } = await runProgram('node', ['imports.mjs'], { cwd: consumer, env });
  ok(Object.keys(JSON.parse(stdout) as object).length >= 5, stdout);
}

/** Runs an agent module in a thread; the result class that its tool uses must be the one that the loop there knows. */
export async function checkThread(consumer: string, { env }: Node): Promise<void> {
  const { stdout } = await runProgram('node', ['host.mjs'], { cwd: consumer, env });
  const { reason, final_content, result, outcome } = JSON.parse(stdout) as Record<string, unknown>;
  equal(reason, 'finished');
  equal(final_content, 'Nothing is known.');
  equal(outcome, 'error');
  deepEqual(result, [{ type: 'text', text: 'nothing is known about owl' }]);
}

/** Runs every numbered example, in the package and copied out of it; each says by its exit code whether it saw what it expects. */
export async function checkExamples(consumer: string, { version, env }: Node): Promise<void> {
  const shipped = join(consumer, SHIPPED);
  const copied = join(consumer, `examples-${version}`);
  await cp(shipped, copied, { recursive: true });
  const names = (await readdir(shipped)).filter((name) => /^\d+-.*\.ts$/.test(name));
  ok(names.length > 0, 'the package has no examples');
  const loader = pathToFileURL(join(ROOT, 'node_modules/tsx/dist/loader.mjs')).href;
  for (const name of names) {
    for (const folder of [shipped, copied]) await runProgram('node', ['--import', loader, join(folder, name)], { cwd: consumer, env });
  }
}

/** Runs the shipped demo, whose answer must quote what grep found, and replays its recording. */
export async function checkCommandLine(consumer: string, node: Node): Promise<void> {
  const cwd = join(consumer, `demo-${node.version}`);
  await mkdir(cwd);
  // A repository of its own, so that the recording is kept here.
  await mkdir(join(cwd, '.git'));
  await writeFile(join(cwd, 'config.ts'), "// one line above\nexport const FINISH_TOOL_NAME = 'finish';\n");
  const shipped = (file: string): string => join(consumer, SHIPPED, file);
  const steerloop = (...args: string[]): Promise<Printed> =>
    runProgram('npx', ['--no-install', 'steerloop', ...args], { cwd, env: node.env });

  match((await steerloop('--version')).stdout, /^\d+\.\d+\.\d+\n$/);
  const model = `script:${shipped('demo.script.json')}`;
  const live = await steerloop(
    'run',
    '--model',
    model,
    '--tools',
    shipped('demo.tools.yaml'),
    '--user-prompt',
    'Where is FINISH_TOOL_NAME defined?',
  );
  match(live.stdout, /config\.ts:2:export const FINISH_TOOL_NAME/);

  const [recording] = (await readdir(join(cwd, 'run-recordings'))).filter((file) => file.endsWith('.jsonl'));
  ok(recording !== undefined, 'the run left no recording');
  const path = join(cwd, 'run-recordings', recording);
  equal((await stat(path)).mode & 0o777, 0o600);
  const replayed = await steerloop('replay', '--path', path, '--speed', '0');
  equal(replayed.stdout, live.stdout);
  equal(masked(replayed.stderr), masked(live.stderr));
}

/** The trace without what may differ: times, and where it was recorded. */
function masked(trace: string): string {
  return trace.replaceAll(/\d+(\.\d+)?\s?m?s\b/g, '<time>').replaceAll(/^.*recorded to .*$/gm, '');
}
