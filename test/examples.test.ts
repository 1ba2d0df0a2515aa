/**
 * Every numbered example runs as a program of its own, offline and without keys, and says by its exit code whether
 * it saw what it expects. Code in README and docs is taken from these files (readme.test.ts), so that it runs as well.
 */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const EXAMPLES = readdirSync(join(ROOT, 'examples')).filter((file) => /^\d+-[a-z0-9-]+\.ts$/.test(file));

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one example in an environment that holds no key of any provider. */
function runExample(file: string): Promise<Outcome> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(ANTHROPIC|OPENAI|VITEST|NODE_OPTIONS)/.test(name)));
  const args = ['--import', 'tsx', join('examples', file)];
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { cwd: ROOT, env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr });
    });
    child.stdin?.end();
  });
}

describe('the examples', () => {
  it('are there', () => {
    expect(EXAMPLES.length).toBeGreaterThan(0);
  });

  it.each(EXAMPLES)('examples/%s runs offline, prints what happens and exits with 0', { timeout: 60_000 }, async (file) => {
    const { code, stdout, stderr } = await runExample(file);

    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).not.toBe('');
  });

  it.each(EXAMPLES)('examples/%s is under 60 lines', (file) => {
    expect(readFileSync(join(ROOT, 'examples', file), 'utf8').split('\n').length).toBeLessThanOrEqual(60);
  });
});
