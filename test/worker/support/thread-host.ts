/** A host for tests with real threads, closed behind the test whatever happened in it. */
import { fileURLToPath } from 'node:url';
import { onTestFinished, vi } from 'vitest';
import { createHost, type Host, type HostOptions } from '../../../src/worker/index.ts';

// A guard, not a measure: from source a thread compiles what it loads, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 });

/** Makes a host without warm threads that is closed when the test is over. */
export function threadHost(options: HostOptions = {}): Host {
  const host = createHost({ warmThreads: 0, ...options });
  onTestFinished(() => host.close());
  return host;
}

/** Path of an agent module among the fixtures. */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`../../fixtures/worker/${name}.ts`, import.meta.url));
}
