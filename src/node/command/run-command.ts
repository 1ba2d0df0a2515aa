/**
 * Runs one command as a process group of its own: no shell, no stdin, output captured within a cap. The call
 * lasts until the program ends, never until its pipes close: what it left behind in the background may hold
 * them for ever. At the end of the call nothing of the group is alive, whichever way it ended; only a
 * process that moved to another session (`setsid`) escapes, and it cannot hold up the call.
 *
 * Timeout and abort: SIGTERM to the group, and SIGKILL once the program has ended or KILL_AFTER_MS are over.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { systemTimers } from '../../runtime/default-ports.ts';
import type { Timers } from '../../runtime/ports.ts';
import type { Command, CommandContext, CommandEnd, CommandRun } from './command.ts';
import { OutputCapture } from './output-capture.ts';
import { guardGroup, releaseGroup, signalGroup } from './process-group.ts';
import { describeStartError } from './start-error.ts';

/** After SIGTERM, how long a program may take to put things right. */
const KILL_AFTER_MS = 200;
/** After its end, how long what it left behind may still print. */
const LINGER_MS = 100;
/** After SIGKILL, how long its pipes may take to close; a process outside the group may hold them open. */
const DRAIN_MS = 500;

/** Runs a command to its end. Never rejects: that it could not start, or was ended, is an answer. */
export async function runCommand(command: Command, context: CommandContext): Promise<CommandRun> {
  const capture = new OutputCapture(command.maxOutputBytes, (text) => context.output?.(text));
  if (context.signal.aborted) return { end: { how: 'aborted', reason: context.signal.reason }, output: capture.finish() };
  const started = await startProcess(command);
  const end = 'problem' in started ? ({ how: 'not_started', ...started } as const) : await runProcess(started, command, context, capture);
  return { end, output: capture.finish() };
}

/** `spawn` says in two ways that it cannot: it throws, or an `error` comes instead of `spawn`. */
async function startProcess(command: Command): Promise<ChildProcess | { problem: string }> {
  const { argv, cwd, env } = command;
  const [program = '', ...args] = argv;
  try {
    const child = spawn(program, args, { cwd, env, detached: true, shell: false, stdio: ['ignore', 'pipe', 'pipe'] });
    await once(child, 'spawn');
    return child;
  } catch (error) {
    return { problem: await describeStartError(error, command) };
  }
}

async function runProcess(child: ChildProcess, command: Command, context: CommandContext, capture: OutputCapture): Promise<CommandEnd> {
  const { pid } = child;
  if (pid === undefined) throw new Error('the process has no id');
  const timers = context.timers ?? systemTimers;
  const exited = new Promise<CommandEnd>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal === null ? { how: 'exited', code: code ?? 0 } : { how: 'killed', signal }));
  });
  const closed = new Promise<void>((resolve) => void child.once('close', () => resolve()));
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', capture.addStream());
    // A pipe that breaks has nothing more to say; how the program ended is told by its exit.
    stream?.on('error', () => {});
  }
  guardGroup(pid);
  context.child?.(pid, 'started');
  const end = await firstEnd(exited, command.timeoutMs, context.signal, timers);
  if (end.how === 'timeout' || end.how === 'aborted') {
    signalGroup(pid, 'SIGTERM');
    await settlesWithin(exited, KILL_AFTER_MS, timers);
  } else await settlesWithin(closed, LINGER_MS, timers);
  signalGroup(pid, 'SIGKILL');
  if (!(await settlesWithin(closed, DRAIN_MS, timers))) letGo(child);
  releaseGroup(pid);
  context.child?.(pid, 'exited');
  return end;
}

/** Whatever comes first: the program's own end, the timeout, or an abort. */
async function firstEnd(exited: Promise<CommandEnd>, timeoutMs: number, signal: AbortSignal, timers: Timers): Promise<CommandEnd> {
  let cleanUp = (): void => {};
  const ended = new Promise<CommandEnd>((resolve) => {
    const onAbort = (): void => resolve({ how: 'aborted', reason: signal.reason });
    const cancelTimer = timers.set(timeoutMs, 'tool_timeout', () => resolve({ how: 'timeout' }));
    signal.addEventListener('abort', onAbort, { once: true });
    // It may have been aborted while the process was starting.
    if (signal.aborted) onAbort();
    cleanUp = () => {
      cancelTimer();
      signal.removeEventListener('abort', onAbort);
    };
  });
  try {
    return await Promise.race([exited, ended]);
  } finally {
    cleanUp();
  }
}

async function settlesWithin(promise: Promise<unknown>, ms: number, timers: Timers): Promise<boolean> {
  let cancel = (): void => {};
  const tooLate = new Promise<false>((resolve) => {
    // One more turn: where this thread was busy, what did arrive in time is still to be read.
    cancel = timers.set(ms, 'grace', () => setImmediate(resolve, false));
  });
  try {
    return await Promise.race([promise.then(() => true), tooLate]);
  } finally {
    cancel();
  }
}

/** Forgets a process whose pipes somebody else holds open. */
function letGo(child: ChildProcess): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
  child.unref();
}
