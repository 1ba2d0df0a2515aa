/**
 * `npm test`: every test, border and example through vitest, and one total as the last line. Further
 * arguments go to vitest (`npm test -- -u` rewrites the golden transcripts). Exit code 1 when anything
 * failed, and when nothing ran: a check that saw nothing has shown nothing.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';

/** The part of vitest's JSON report that is read here. */
interface Report {
  readonly success: boolean;
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly { readonly status: string }[] }[];
}

interface Total {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

async function runVitest(reportPath: string): Promise<number> {
  const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportPath}`];
  const child = spawn(process.execPath, [vitest, 'run', ...reporters, ...process.argv.slice(2)], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

/** A file that fails outside of its tests (while loading, in a hook, by a leak) counts as one failure of its own. */
function failedFiles(report: Report): number {
  return report.testResults.filter((file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'))
    .length;
}

function totalOf(report: Report, exitCode: number): Total {
  const failed = report.numFailedTests + failedFiles(report);
  return {
    passed: report.numPassedTests,
    // An error that belongs to no test, such as a rejection nobody handled, shows in the exit code alone.
    failed: failed === 0 && (exitCode !== 0 || !report.success) ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

async function readReport(path: string): Promise<Report | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Report;
  } catch {
    // vitest ended before it could write one; its own output above says why.
    return undefined;
  }
}

const folder = await mkdtemp(join(tmpdir(), 'steerloop-test-'));
const reportPath = join(folder, 'report.json');
const exitCode = await runVitest(reportPath);
const report = await readReport(reportPath);
await rm(folder, { recursive: true, force: true });

const total: Total = report === undefined ? { passed: 0, failed: 1, skipped: 0 } : totalOf(report, exitCode);
console.log(`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
