/**
 * `npm run check:package`: what a user gets. Packs the project, installs the tarball into an empty folder and, on each
 * version of Node, imports every subpath, runs an agent in a thread and the shipped examples, and runs and replays the demo. Needs a
 * package registry, for the package's dependencies and for Node itself. Arguments name other versions: `-- 22 26`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { installPackage, packProject, prepareNode } from './package/install.ts';
import { checkBundle, checkCommandLine, checkExamples, checkImports, checkThread, checkTypes } from './package/package-checks.ts';

const wanted = process.argv.slice(2);
const versions = wanted.length > 0 ? wanted : ['20', '22', '24'];

let passed = 0;
let failed = 0;

async function check(title: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
    passed += 1;
    console.log(`  ok: ${title}`);
  } catch (error) {
    failed += 1;
    console.error(`  FAILED: ${title}\n${error instanceof Error ? error.message : String(error)}`);
  }
}

const folder = await mkdtemp(join(tmpdir(), 'steerloop-package-'));
try {
  const tarball = await packProject(folder);
  const consumer = await installPackage(folder, tarball);
  console.log(`${tarball} installed in an empty folder`);
  await check('the types fit a strict program', () => checkTypes(consumer));
  await check('the main entry bundles for the edge without any flag', () => checkBundle(consumer));
  for (const version of versions) {
    const node = await prepareNode(folder, version);
    console.log(`node ${node.version}`);
    await check('every subpath can be imported', () => checkImports(consumer, node));
    await check('an agent module runs in a thread', () => checkThread(consumer, node));
    await check('the shipped examples run', () => checkExamples(consumer, node));
    await check('the demo runs and replays from the command line', () => checkCommandLine(consumer, node));
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
