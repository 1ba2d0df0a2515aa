/**
 * What a worker thread starts with: loaded by the pool before there is a run, so its imports are kept light. A thread serves
 * one run and ends with it.
 */
import { type MessagePort, threadId } from 'node:worker_threads';
import { portEnd } from './port-end.ts';
import { serveRun } from './thread-run.ts';

/** What the pool hands to a thread: the run's port, or nothing, when the thread is only to be warm. */
export interface ThreadTask {
  readonly port?: MessagePort;
}

/** Serves the one run of this thread and ends the thread; returns only when it is to be warm. */
export async function runInThread({ port }: ThreadTask): Promise<void> {
  if (port === undefined) return;
  await serveRun({ end: portEnd(port), threadId, onExit: (call) => process.once('exit', call) });
  // Nothing of a run may go on behind it. What was printed is flushed on the way out.
  process.exit(0);
  // Where an agent has replaced `process.exit`: the thread must not look free, and the host ends it soon.
  await new Promise<never>(() => {});
}
