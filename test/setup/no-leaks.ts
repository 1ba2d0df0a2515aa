/**
 * Fails a test file that leaves something running: a thread, a child process, a server, a socket, a message
 * port, a watcher or a timer that would hold the process open. Threads and children are counted by what Node
 * publishes when one starts; the rest by comparing the active resources before and after the file.
 */
import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { setTimeout as delay } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll } from 'vitest';

const WATCHED = new Set([
  'TCPServerWrap',
  'TCPSocketWrap',
  'PipeWrap',
  'PipeServerWrap',
  'MessagePort',
  'FSEventWrap',
  'StatWatcher',
  'Timeout',
]);
/** What was closed a moment ago may take a few turns to go. */
const SETTLE_MS = 3_000;

const threads = new Set<Worker>();
const children = new Set<ChildProcess>();
let before = new Map<string, number>();

subscribe('worker_threads', (message) => {
  const { worker } = message as { worker: Worker };
  threads.add(worker);
  worker.once('exit', () => threads.delete(worker));
});

subscribe('child_process', (message) => {
  const { process: child } = message as { process: ChildProcess };
  children.add(child);
  child.once('exit', () => children.delete(child));
});

function activeResources(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const type of process.getActiveResourcesInfo()) if (WATCHED.has(type)) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}

function leaks(): string[] {
  const found: string[] = [];
  if (threads.size > 0) found.push(`${threads.size} thread(s)`);
  for (const child of children) {
    // Without an id it never started: `spawn` threw, or said so with an `error`.
    if (child.pid !== undefined) found.push(`child process ${child.pid} (${child.spawnargs.join(' ').slice(0, 80)})`);
  }
  for (const [type, count] of activeResources()) {
    const more = count - (before.get(type) ?? 0);
    if (more > 0) found.push(`${more} ${type}`);
  }
  return found;
}

beforeAll(() => {
  before = activeResources();
});

afterAll(async () => {
  const deadline = performance.now() + SETTLE_MS;
  while (leaks().length > 0 && performance.now() < deadline) await delay(10);
  const left = leaks();
  if (left.length > 0) throw new Error(`The test file ends with something still running: ${left.join(', ')}`);
});
