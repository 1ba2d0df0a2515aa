/** A host for tests with real threads, closed behind the test whatever happened in it. */
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { createHost, type Host, type HostOptions } from '../../../src/worker/index.ts';

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
