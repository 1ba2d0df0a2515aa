/**
 * Runs what `steerloop run` prepared: through a host, in a thread of its own, recorded as it goes. A signal is a stop of the
 * run, so that the recording is whole and tells which signal it was; so is a stdout that nobody reads any more.
 */

import { inertText } from '../node/inert-text.ts';
import type { Recording } from '../node/recording/file-recording.ts';
import { openRecording } from '../node/recording/open-recording.ts';
import { describeError } from '../runtime/errors.ts';
import { createHost } from '../worker/host.ts';
import type { CommandWorld } from './commands/command-context.ts';
import type { PreparedRun } from './commands/prepare-run.ts';
import { showRun } from './show-run.ts';
import { createScreen, type Screen } from './terminal/screen.ts';
import { onStopSignals } from './terminal/stop-signals.ts';
import { joinParts, problemLine } from './trace/layout.ts';

/** Runs to the end and returns the exit code. Rejects with a `ConfigError`, and has recorded nothing, when the run cannot start. */
export async function runInHost(prepared: PreparedRun, world: CommandWorld): Promise<number> {
  const screen = createScreen({ ...world, colour: prepared.colour });
  const recorder = new Recorder(prepared, world);
  try {
    return await startAndShow(prepared, screen, recorder);
  } finally {
    await recorder.close(screen);
  }
}

async function startAndShow(prepared: PreparedRun, screen: Screen, recorder: Recorder): Promise<number> {
  const { agent, input, config, output } = prepared;
  const stop = new AbortController();
  const signals = onStopSignals({
    stop: (signal) => stop.abort(signal),
    leave: () => screen.note(problemLine('!', screen.style.yellow, 'left before the run had ended')),
  });
  screen.outClosed.addEventListener('abort', () => stop.abort('SIGPIPE'));
  const host = createHost({ maxThreads: 1, warmThreads: 0, onOutput: ({ text }) => screen.note(inertText(text)) });
  try {
    const run = await host.start({ agent, input, config, recording: recorder.open, signal: stop.signal });
    return await showRun(run, { screen, output, recording: recorder.path });
  } finally {
    await host.close();
    signals.dispose();
  }
}

/** The recording of one run: opened by the host when nothing can refuse the run any more, closed here. */
class Recorder {
  /** Opens it; undefined where nothing is to be recorded. */
  readonly open: (() => Promise<Recording>) | undefined;
  #recording: Recording | undefined;

  constructor({ record }: PreparedRun, { cwd }: CommandWorld) {
    if (record === 'none') return;
    this.open = async () => {
      this.#recording = await openRecording({ path: record, cwd, kind: 'run' });
      return this.#recording;
    };
  }

  /** Where it lies, once it is open. */
  get path(): string | undefined {
    return this.#recording?.path;
  }

  async close(screen: Screen): Promise<void> {
    try {
      await this.#recording?.close();
    } catch (error) {
      screen.trace(problemLine('!', screen.style.yellow, joinParts('the recording is not complete', describeError(error))));
    }
  }
}
