/**
 * Who may import whom, held by dependency-cruiser. A checker that sees nothing passes everything, so this also
 * counts what it saw and plants a violation of every rule in a folder made for it.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ICruiseResult } from 'dependency-cruiser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CONFIG = join(ROOT, '.dependency-cruiser.cjs');
const CRUISER = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');

/** Cruises `src` of a folder with the project's rules. */
async function cruise(folder: string): Promise<ICruiseResult> {
  const args = [CRUISER, '--config', CONFIG, '--output-type', 'json', 'src'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(stdout) as ICruiseResult;
}

describe('the borders between the folders', () => {
  it('hold for every source file', async () => {
    const { modules, summary } = await cruise(ROOT);
    const sources = (await readdir(join(ROOT, 'src'), { recursive: true })).filter((file) => file.endsWith('.ts'));
    const seen = new Set(modules.map((module) => module.source));

    expect(sources.length).toBeGreaterThan(0);
    expect(sources.filter((file) => !seen.has(`src/${file}`))).toEqual([]);
    expect(summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`)).toEqual([]);
  });
});

/** One file for each rule that breaks just this one, and the rule it breaks. */
const PLANTED: Record<string, { file: string; text: string }> = {
  'runtime-knows-runtime-only': { file: 'src/runtime/a.ts', text: "export * from '../node/target.ts';" },
  'node-knows-runtime-only': { file: 'src/node/a.ts', text: "export * from '../worker/target.ts';" },
  'worker-knows-node-and-runtime-only': { file: 'src/worker/a.ts', text: "export * from '../cli/target.ts';" },
  'edge-knows-runtime-only': { file: 'src/edge/a.ts', text: "export * from '../node/target.ts';" },
  'portable-code-uses-no-node-module': { file: 'src/runtime/b.ts', text: "export * from 'node:path';" },
  'portable-code-uses-portable-packages': { file: 'src/runtime/c.ts', text: "export * from 'piscina';" },
  'heavy-packages-load-lazily': { file: 'src/runtime/d.ts', text: "export * from 'openai';" },
  'prices-load-lazily': { file: 'src/node/b.ts', text: "export * from '../runtime/prices.ts';" },
  'testing-is-not-part-of-the-runtime': { file: 'src/runtime/e.ts', text: "export * from './testing/target.ts';" },
  'shipped-code-uses-shipped-packages': { file: 'src/cli/a.ts', text: "export * from 'vitest';" },
  'shipped-code-stands-alone': { file: 'src/cli/b.ts', text: "export * from '../../test/target.ts';" },
  'no-cycles': { file: 'src/cli/c.ts', text: "import './c.ts';" },
  'every-import-resolves': { file: 'src/cli/d.ts', text: "export * from './missing.ts';" },
};

const ALLOWED: Record<string, string> = {
  'src/cli/fine.ts': "export * from '../worker/target.ts'; export * from '../node/target.ts'; export * from '../runtime/target.ts';",
  'src/worker/fine.ts': "export * from '../node/target.ts'; export * from '../runtime/target.ts';",
  'src/node/fine.ts': "import 'node:path'; export * from '../runtime/target.ts';",
  'src/runtime/fine.ts':
    "import type { a } from 'openai'; export type Sdk = typeof import('openai'); export const sdk = (): Promise<a> => import('openai');",
  'src/runtime/prices.ts': "export * from '@pydantic/genai-prices';",
};

describe('each border rule', () => {
  let folder: string;
  let rules: string[] | undefined;
  const broken = new Map<string, string[]>();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'steerloop-borders-'));
    const target = 'export const a = 1;';
    const targets = ['src/cli', 'src/worker', 'src/node', 'src/runtime', 'src/runtime/testing', 'test'].map((path) => [
      `${path}/target.ts`,
      target,
    ]);
    const packages = ['openai', 'piscina', 'vitest', '@pydantic/genai-prices'].flatMap((name) => [
      [`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', type: 'module', main: 'index.js' })],
      [`node_modules/${name}/index.js`, target],
    ]);
    const dependencies = { openai: '1.0.0', piscina: '1.0.0', '@pydantic/genai-prices': '1.0.0' };
    const files = Object.fromEntries([
      ...targets,
      ...packages,
      ['package.json', JSON.stringify({ type: 'module', dependencies, devDependencies: { vitest: '1.0.0' } })],
      ...Object.values(PLANTED).map(({ file, text }) => [file, text]),
      ...Object.entries(ALLOWED),
    ]) as Record<string, string>;
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const { summary } = await cruise(folder);
    rules = summary.ruleSetUsed?.forbidden?.map((rule) => String(rule.name));
    for (const { rule, from } of summary.violations) broken.set(from, [...(broken.get(from) ?? []), rule.name]);
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(Object.entries(PLANTED))('%s finds a planted violation', (rule, { file }) => {
    expect(broken.get(file)).toEqual([rule]);
  });

  it.each(Object.keys(ALLOWED))('lets %s pass', (file) => {
    expect(broken.get(file)).toBeUndefined();
  });

  it('has a planted violation', () => {
    expect(rules?.toSorted()).toEqual(Object.keys(PLANTED).toSorted());
  });
});
