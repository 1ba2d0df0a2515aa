/**
 * What a worker thread starts with: loaded by the pool before there is a run, so its imports are kept light. A thread serves
 * one run and ends with it.
 */
import { type MessagePort, threadId } from 'node:worker_threads';
import { portEnd } from './port-end.ts';
import { serveRun } from './thread-run.ts';

/** As they are before there is an agent, which may replace them. */
const { nextTick } = process;
const exit = process.exit.bind(process);

/** What the pool hands to a thread: the run's port, or nothing, when the thread is only to be warm. */
export interface ThreadTask {
  readonly port?: MessagePort;
}

/** Serves the one run of this thread and ends the thread; returns only when it is to be warm. */
export async function runInThread({ port }: ThreadTask): Promise<void> {
  if (port === undefined) return;
  try {
    await serveRun({ end: portEnd(port), threadId, onExit: (call) => process.once('exit', call) });
    // Nothing of a run may go on behind it. What was printed is flushed on the way out.
    exit(0);
  } catch (error) {
    // The loop itself broke, as it does when a tool takes its globals away: it ends the thread, as any error that nothing catches.
    nextTick(() => {
      throw error;
    });
  }
  // The thread must not look free while it ends.
  await new Promise<never>(() => {});
}
