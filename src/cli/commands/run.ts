/** `steerloop run`: one run in a thread of its own, shown as it happens and recorded. */
import type { Command } from 'commander';
import {
  choiceFlag,
  countFlag,
  dollarsFlag,
  durationFlag,
  listFlag,
  numberFlag,
  rawFlag,
  textFlag,
  urlFlag,
} from '../flags/flag-values.ts';
import { OUTPUT_FORMATS } from '../show-run.ts';
import { type CommandContext, refuseWords } from './command-context.ts';
import { prepareRun, type RunFlags } from './prepare-run.ts';

const AFTER_HELP = `
A prompt or system prompt that begins with @ names a file; write @@ for a text that begins with @.
Durations are 500ms, 20s, 5m, 1h. The answer goes to stdout, everything else to stderr.
Keys come from ANTHROPIC_API_KEY and OPENAI_API_KEY, URLs also from ANTHROPIC_BASE_URL and OPENAI_BASE_URL.

Exit codes: 0 finished, 1 error or crashed, 2 wrong usage, 3 max iterations, 4 timeout, 5 awaiting a human, 6 budget,
7 refused, truncated or empty, 130 stopped (143 by SIGTERM, 129 by SIGHUP, 141 when nobody reads stdout any more).

Example:
  steerloop run --model script:examples/demo.script.json --tools examples/demo.tools.yaml \\
    --user-prompt "Where is FINISH_TOOL_NAME defined?"
`;

/** Adds the command to the program. */
export function addRunCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('run')
    .description('run a model with tools until it has answered')
    .option('--model <spec>', 'anthropic:<model>, openai:<model>, openai-compatible:<model> or script:<file>', textFlag('--model'))
    .option('--user-prompt <text|@file>', 'what the model is asked (required)', rawFlag('--user-prompt'))
    .option('--image <path>', 'a picture for the prompt: PNG, JPEG, GIF or WebP; may be given again', listFlag)
    .option('--tools <file>', 'manifest of command tools', textFlag('--tools'))
    .option(
      '--agent <module>',
      'module that exports an agent with tools and system prompt; --model beside it asks for another model than its own',
      textFlag('--agent'),
    )
    .option('--system-prompt <text|@file>', 'system prompt', rawFlag('--system-prompt'))
    .option('--max-iterations <n>', 'most model turns (default: 32)', countFlag('--max-iterations'))
    .option('--max-tool-calls <n>', 'most tool calls', countFlag('--max-tool-calls'))
    .option('--max-total-tokens <n>', 'most tokens, input and output; a call reserves its longest reply', countFlag('--max-total-tokens'))
    .option('--max-cost <usd>', 'most US dollars', dollarsFlag('--max-cost'))
    .option('--max-output-tokens <n>', 'most tokens of one reply', countFlag('--max-output-tokens'))
    .option('--temperature <t>', 'from 0 to 2', numberFlag('--temperature', 0, 2))
    .option('--thinking <level>', 'off, low, medium or high', choiceFlag('--thinking', ['off', 'low', 'medium', 'high']))
    .option('--timeout <duration>', 'longest time for the run', durationFlag('--timeout'))
    .option('--attempts <n>', 'attempts at each model call (default: 5)', countFlag('--attempts'))
    .option('--idle-timeout <duration>', 'longest silence of the model', durationFlag('--idle-timeout'))
    .option('--stop-on <rule>', 'text, finish-tool or manual (default: text)', choiceFlag('--stop-on', ['text', 'finish_tool', 'manual']))
    .option('--base-url <url>', 'URL of the provider', urlFlag('--base-url'))
    .option('--record <path>', 'a .jsonl file, a folder, or none (default: run-recordings/)', textFlag('--record'))
    .option('--output <format>', 'text, json (the outcome) or jsonl (the events) (default: text)', choiceFlag('--output', OUTPUT_FORMATS))
    .option('--skip-confirm', 'run tools that ask for confirmation without asking')
    .option('--no-color', 'no colours')
    .addHelpText('after', AFTER_HELP)
    .allowExcessArguments();
  command.action(async (flags: RunFlags) => {
    refuseWords(command, 'the prompt goes in --user-prompt');
    const prepared = await prepareRun(flags, context.cwd);
    // Loaded only now, so that help and mistakes are answered at once.
    const { runInHost } = await import('../run-in-host.ts');
    context.finish(await runInHost(prepared, context));
  });
}
