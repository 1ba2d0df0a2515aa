/** `steerloop replay`: prints what a recorded run printed, and exits with its code. Calls no model and runs no tool. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { inertLine } from '../../node/inert-text.ts';
import { readRecordingFile } from '../../node/recording/read-recording-file.ts';
import { replayRun } from '../../runtime/recording/replay-run.ts';
import { eventsOfRun } from '../../runtime/recording/runs-of.ts';
import type { RunEvent } from '../../runtime/schema/event.ts';
import { choiceFlag, durationFlag, factorFlag, textFlag } from '../flags/flag-values.ts';
import { OUTPUT_FORMATS, type OutputFormat, showRun } from '../show-run.ts';
import { createScreen, type Screen } from '../terminal/screen.ts';
import { UsageError } from '../usage-error.ts';
import { type CommandContext, refuseWords } from './command-context.ts';

interface ReplayFlags {
  readonly path?: string;
  readonly run?: string;
  readonly speed?: number;
  readonly maxWait?: number;
  readonly output?: OutputFormat;
  readonly color: boolean;
}

const EXAMPLE = `
Example:
  steerloop replay --path run-recordings/20261201T101508Z-1856286955.jsonl --speed 0
`;

/** Adds the command to the program. */
export function addReplayCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('replay')
    .description('print what a recorded run printed, and exit with its code; no model is called and no tool runs')
    .option('--path <file>', 'the recording', textFlag('--path'))
    .option('--run <id>', 'which of its runs (default: the last)', textFlag('--run'))
    .option('--speed <factor>', 'how many times faster than it was; 0 waits for nothing (default: 1)', factorFlag('--speed'))
    .option('--max-wait <duration>', 'longest wait between two events, such as 2s', durationFlag('--max-wait', 0))
    .option('--output <format>', 'what goes to stdout: text, json or jsonl (default: text)', choiceFlag('--output', OUTPUT_FORMATS))
    .option('--no-color', 'no colours')
    .addHelpText('after', EXAMPLE)
    .allowExcessArguments();
  command.action(async (flags: ReplayFlags) => {
    refuseWords(command, 'the recording goes in --path');
    context.finish(await replay(flags, context));
  });
}

async function replay(flags: ReplayFlags, context: CommandContext): Promise<number> {
  if (flags.path === undefined) throw new UsageError('--path is missing; expected the path of a recording');
  const path = resolve(context.cwd, flags.path);
  const screen = createScreen({ ...context, colour: flags.color });
  const events = await recordedEvents(path, flags.run, screen);
  const run = replayRun(events, { speed: flags.speed, maxWaitMs: flags.maxWait });
  return showRun(run, { screen, output: flags.output ?? 'text', recording: path, leavesWithReader: true });
}

/** The events of the run that is meant; what cannot be read of the file is said on stderr. */
async function recordedEvents(path: string, runId: string | undefined, screen: Screen): Promise<readonly RunEvent[]> {
  const { header, lines, warnings } = await readRecordingFile(path);
  if (header === undefined && lines.length === 0) {
    throw new UsageError(`--path names ${path}, which is no recording; expected a file that steerloop run has written`);
  }
  for (const { message } of warnings) screen.trace(`${screen.style.yellow('!')} ${inertLine(message)}\n`);
  return eventsOfRun(lines, runId);
}
