/**
 * The program: all commands under one name. A mistake in how it is called is one line on stderr and exit code 2;
 * everything else gives the code of the command that ran.
 */
import { Command, CommanderError } from 'commander';
import { inertLine, inertText } from '../node/inert-text.ts';
import { packageVersion } from '../node/package-version.ts';
import { SteerloopError } from '../runtime/errors.ts';
import type { CommandContext, CommandWorld } from './commands/command-context.ts';
import { addReplayCommand } from './commands/replay.ts';
import { addRunCommand } from './commands/run.ts';
import { addToolsCommand } from './commands/tools.ts';
import { FAILURE_EXIT_CODE, USAGE_EXIT_CODE } from './exit-code.ts';
import { createScreen, type Screen } from './terminal/screen.ts';
import { UsageError } from './usage-error.ts';

const EXAMPLE = `
Example:
  steerloop run --model script:examples/demo.script.json --tools examples/demo.tools.yaml \\
    --user-prompt "Where is FINISH_TOOL_NAME defined?"
`;

/** Runs the command that `words` (without node and script) name, and returns its exit code. Never rejects. */
export async function runProgram(words: readonly string[], world: CommandWorld): Promise<number> {
  let exitCode = 0;
  // Help and mistakes go through a screen too: a reader that has gone, as in a pipe to head, is no crash.
  const screen = createScreen(world);
  const program = createProgram({ ...world, finish: (code) => (exitCode = code) }, screen);
  try {
    await program.parseAsync(words, { from: 'user' });
    return exitCode;
  } catch (error) {
    const { text, code } = judge(error, hintFor(program, words));
    if (text !== '') screen.trace(`steerloop: ${text}\n`);
    return code;
  }
}

function createProgram(context: CommandContext, screen: Screen): Command {
  const program = new Command('steerloop')
    .description('Run an agent loop that you can steer, stop, record and replay.')
    .version(packageVersion())
    .exitOverride()
    .configureOutput({
      writeOut: (text) => screen.answer(text),
      writeErr: (text) => screen.trace(text),
      // Mistakes are told in one place, below.
      outputError: () => {},
    })
    .addHelpText('after', EXAMPLE);
  addRunCommand(program, context);
  addReplayCommand(program, context);
  addToolsCommand(program, context);
  return program;
}

/** What to say of an error, and which code it gives. */
function judge(error: unknown, hint: string): { text: string; code: number } {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return { text: '', code: 0 };
    // Help that was printed because no command was named says it all.
    const text = error.code === 'commander.help' ? '' : `${inertLine(error.message.replace(/^error: /, ''))}; ${hint}`;
    return { text, code: USAGE_EXIT_CODE };
  }
  if (error instanceof UsageError) return { text: `${inertLine(error.message)}; ${hint}`, code: USAGE_EXIT_CODE };
  // A manifest's mistakes are a line each.
  if (error instanceof SteerloopError) return { text: inertText(error.message), code: USAGE_EXIT_CODE };
  return { text: inertText(error instanceof Error ? (error.stack ?? error.message) : String(error)), code: FAILURE_EXIT_CODE };
}

/** Names the innermost command that the words begin with. */
function hintFor(program: Command, words: readonly string[]): string {
  const names = [program.name()];
  let command: Command | undefined = program;
  for (const word of words) {
    command = command.commands.find((candidate) => candidate.name() === word);
    if (command === undefined) break;
    names.push(command.name());
  }
  return `see ${names.join(' ')} --help`;
}
