/**
 * Runs what `steerloop run` prepared: through a host, in a thread of its own, recorded as it goes. A signal is a stop of the
 * run, so that the recording is whole and tells which signal it was; so is a stdout that nobody reads any more.
 */
import { checkAgentData } from '../node/agent-from-data.ts';
import type { Recording } from '../node/recording/file-recording.ts';
import { openRecording } from '../node/recording/open-recording.ts';
import { describeError } from '../runtime/errors.ts';
import { createHost } from '../worker/host.ts';
import type { CommandWorld } from './commands/command-context.ts';
import type { PreparedRun } from './commands/prepare-run.ts';
import { showRun } from './show-run.ts';
import { inertText } from './terminal/inert-text.ts';
import { createScreen, type Screen } from './terminal/screen.ts';
import { onStopSignals } from './terminal/stop-signals.ts';
import { joinParts, problemLine } from './trace/layout.ts';

/** Runs to the end and returns the exit code. Rejects with a `ConfigError`, and has recorded nothing, when the run cannot start. */
export async function runInHost(prepared: PreparedRun, world: CommandWorld): Promise<number> {
  await checkAgent(prepared, world);
  const screen = createScreen({ ...world, colour: prepared.colour });
  const recording = await openRecordingFor(prepared, world);
  try {
    return await startAndShow(prepared, screen, recording);
  } finally {
    await closeRecording(recording, screen);
  }
}

/** The host checks the agent too, but by then the recording is open: a run that cannot start must leave no file behind. */
async function checkAgent({ agent, config }: PreparedRun, { env }: CommandWorld): Promise<void> {
  if (typeof agent !== 'string') await checkAgentData(agent, config, { env });
}

async function openRecordingFor({ record }: PreparedRun, { cwd }: CommandWorld): Promise<Recording | undefined> {
  return record === 'none' ? undefined : openRecording({ path: record, cwd, kind: 'run' });
}

async function startAndShow(prepared: PreparedRun, screen: Screen, recording: Recording | undefined): Promise<number> {
  const { agent, input, config, output } = prepared;
  const stop = new AbortController();
  const signals = onStopSignals({
    stop: (signal) => stop.abort(signal),
    leave: () => screen.note(problemLine('!', screen.style.yellow, 'left before the run had ended')),
  });
  screen.outClosed.addEventListener('abort', () => stop.abort('SIGPIPE'));
  const host = createHost({ maxThreads: 1, warmThreads: 0, onOutput: ({ text }) => screen.note(inertText(text)) });
  try {
    const run = await host.start({ agent, input, config, recording, signal: stop.signal });
    return await showRun(run, { screen, output, recording: recording?.path });
  } finally {
    await host.close();
    signals.dispose();
  }
}

async function closeRecording(recording: Recording | undefined, screen: Screen): Promise<void> {
  try {
    await recording?.close();
  } catch (error) {
    screen.trace(problemLine('!', screen.style.yellow, joinParts('the recording is not complete', describeError(error))));
  }
}
