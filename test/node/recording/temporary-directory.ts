/** Directories for tests that write files. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A new empty directory that is gone when the test is over. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'steerloop-recording-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
