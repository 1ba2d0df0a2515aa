/**
 * The portable entry as an edge platform sees it: bundled for a browser-like runtime, with no Node module left in it,
 * loading nothing heavy by itself, and running a scripted loop in a real workerd that has no Node globals.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type BuildResult, build, type Metafile, stop } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const HEAVY = [
  'node_modules/@anthropic-ai/',
  'node_modules/openai/',
  'node_modules/re2js/',
  'node_modules/@cfworker/',
  'node_modules/@pydantic/',
];

/** The binary itself, of the package for this platform: no install script is needed. */
const require = createRequire(import.meta.url);
const { default: workerd } = require('workerd') as { default: string };

type Bundle = BuildResult<{ metafile: true; write: false }>;

/** Bundles code that stands in the root of the repository the way edge platforms do. */
function bundle(contents: string): Promise<Bundle> {
  return build({
    stdin: { contents, resolveDir: ROOT, sourcefile: 'entry.ts', loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['workerd', 'worker', 'edge-light'],
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
}

/** The modules that load with the entry, without anything that waits for an `import()`. */
function eagerModules({ inputs }: Metafile): string[] {
  const seen = new Set<string>();
  const queue = ['entry.ts'];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    for (const { path: next, kind } of inputs[path]?.imports ?? []) if (kind !== 'dynamic-import') queue.push(next);
  }
  return [...seen];
}

function heavyModules(modules: readonly string[]): string[] {
  return modules.filter((path) => HEAVY.some((folder) => path.includes(folder)));
}

const WORKER = `import { playRun } from './test/borders/strict-worker.ts';
export default { fetch: async () => Response.json(await playRun()) };`;

const WORKER_CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
const main :Workerd.Worker = (modules = [(name = "worker.js", esModule = embed "worker.js")], compatibilityDate = "2026-08-03");
`;

/** Starts workerd on a free port, which it tells on a pipe of its own. Later dates than the config's would bring Node globals. */
async function startWorkerd(folder: string): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(workerd, ['serve', '--control-fd=3', join(folder, 'config.capnp')], { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] });
  const complaints: string[] = [];
  child.stderr?.on('data', (chunk) => complaints.push(String(chunk)));
  const control = child.stdio[3] as Readable;
  const told = await Promise.race([once(control, 'data'), once(child, 'exit')]);
  if (child.exitCode !== null) throw new Error(`workerd did not start: ${complaints.join('')}`);
  const { port } = JSON.parse(String(told[0])) as { port: number };
  return { url: `http://127.0.0.1:${port}`, child };
}

afterAll(() => stop());

describe('the portable entry', () => {
  it('bundles with no Node module left in it', async () => {
    const { metafile } = await bundle("export * from './src/runtime/index.ts';");
    const external = Object.values(metafile.outputs).flatMap(({ imports }) => imports.filter((found) => found.external));

    expect(Object.keys(metafile.inputs).filter((path) => path.startsWith('src/runtime/')).length).toBeGreaterThan(10);
    expect(external).toEqual([]);
  });

  it('loads neither a provider SDK nor an argument checker nor prices by itself', async () => {
    const { metafile } = await bundle("export * from './src/runtime/index.ts';");

    expect(eagerModules(metafile)).toContain('src/runtime/index.ts');
    expect(heavyModules(eagerModules(metafile))).toEqual([]);
    // The SDKs are in the bundle all the same, behind an `import()`.
    expect(heavyModules(Object.keys(metafile.inputs)).length).toBeGreaterThan(0);
  });

  it('runs a scripted loop with a tool in a workerd that has no Node globals', { timeout: 60_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'steerloop-workerd-'));
    const { outputFiles } = await bundle(WORKER);
    await writeFile(join(folder, 'worker.js'), outputFiles[0]?.contents ?? '');
    await writeFile(join(folder, 'config.capnp'), WORKER_CONFIG);
    const { url, child } = await startWorkerd(folder);
    try {
      const response = await fetch(url);
      expect(await response.json()).toEqual({
        reason: 'finished',
        final_content: 'It is sunny in Vienna.',
        iterations: 3,
        outcomes: ['invalid_arguments', 'ok'],
        node: [],
      });
    } finally {
      child.kill();
      await once(child, 'exit');
      await rm(folder, { recursive: true });
    }
  });
});

describe('the checks of the portable entry', () => {
  it('fail for a Node module', async () => {
    await expect(bundle("import { readFileSync } from 'node:fs'; export const read = readFileSync;")).rejects.toThrow('node:fs');
  });

  it('fail for an SDK that loads with the entry', async () => {
    const { metafile } = await bundle("export { OpenAI } from 'openai';");
    expect(heavyModules(eagerModules(metafile))).toContain('node_modules/openai/client.mjs');
  });
});
