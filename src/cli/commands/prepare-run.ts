/** From the flags of `run` to what a host starts. Whatever flags and files have wrong with them is found here, before anything runs. */
import type { AgentData } from '../../node/agent-data.ts';
import { absoluteAgentData } from '../../node/agent-from-data.ts';
import type { RunConfig } from '../../runtime/schema/config.ts';
import type { UserContent } from '../../runtime/schema/control.ts';
import { imageBlock } from '../flags/image-file.ts';
import { textOrFile } from '../flags/text-or-file.ts';
import type { OutputFormat } from '../show-run.ts';
import { UsageError } from '../usage-error.ts';

/** The flags of `run`, each parsed; durations in milliseconds. */
export interface RunFlags {
  readonly model?: string;
  readonly userPrompt?: string;
  readonly image?: readonly string[];
  readonly tools?: string;
  readonly agent?: string;
  readonly systemPrompt?: string;
  readonly maxIterations?: number;
  readonly maxToolCalls?: number;
  readonly maxTotalTokens?: number;
  readonly maxCost?: number;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly thinking?: RunConfig['thinking'];
  readonly timeout?: number;
  readonly attempts?: number;
  readonly idleTimeout?: number;
  readonly stopOn?: RunConfig['stop_on'];
  readonly baseUrl?: string;
  readonly record?: string;
  readonly output?: OutputFormat;
  readonly skipConfirm?: boolean;
  readonly color: boolean;
}

/** A run that is ready to start. */
export interface PreparedRun {
  /** Specifier of an agent module, or an agent as data. */
  readonly agent: string | AgentData;
  readonly input: UserContent;
  readonly config: RunConfig;
  readonly output: OutputFormat;
  /** Where to record: a path, undefined for the default place, `none`. */
  readonly record: string | undefined;
  readonly colour: boolean;
}

/** Flags that an agent module answers by itself. */
const NOT_WITH_AGENT = { tools: '--tools', systemPrompt: '--system-prompt', baseUrl: '--base-url', skipConfirm: '--skip-confirm' } as const;

/** Checks the flags together and reads the files that they name. Throws a `UsageError`. */
export async function prepareRun(flags: RunFlags, cwd: string): Promise<PreparedRun> {
  if (flags.userPrompt === undefined) throw new UsageError('--user-prompt is missing; expected a text or @FILE');
  if (flags.stopOn === 'manual' && flags.timeout === undefined) {
    throw new UsageError('--stop-on manual waits for messages that nobody can send; expected --timeout with it, or another rule');
  }
  const agent = flags.agent === undefined ? await agentData(flags, cwd) : agentModule(flags.agent, flags);
  return {
    agent,
    input: await userContent(flags.userPrompt, flags.image ?? [], cwd),
    config: runConfig(flags),
    output: flags.output ?? 'text',
    record: flags.record,
    colour: flags.color,
  };
}

function agentModule(specifier: string, flags: RunFlags): string {
  for (const [key, flag] of Object.entries(NOT_WITH_AGENT)) {
    if (flags[key as keyof typeof NOT_WITH_AGENT] !== undefined) {
      throw new UsageError(`${flag} does not go with --agent, whose module brings its own; leave one of them out`);
    }
  }
  return specifier;
}

async function agentData(flags: RunFlags, cwd: string): Promise<AgentData> {
  if (flags.model === undefined) throw new UsageError('--model is missing; expected a model such as anthropic:<model>, or --agent MODULE');
  const data = {
    model: flags.model,
    base_url: flags.baseUrl,
    tools: flags.tools,
    system: flags.systemPrompt === undefined ? undefined : await textOrFile('--system-prompt', flags.systemPrompt, cwd),
    skip_confirm: flags.skipConfirm,
  };
  return absoluteAgentData(withoutUndefined(data), cwd);
}

async function userContent(prompt: string, images: readonly string[], cwd: string): Promise<UserContent> {
  const text = await textOrFile('--user-prompt', prompt, cwd);
  if (images.length === 0) return text;
  const blocks = await Promise.all(images.map((path) => imageBlock('--image', path, cwd)));
  return [...blocks, { type: 'text', text }];
}

/** Beside `--agent`, `--model` asks the agent for another model than its own. */
function runConfig(flags: RunFlags): RunConfig {
  return withoutUndefined({
    model: flags.agent === undefined ? undefined : flags.model,
    max_iterations: flags.maxIterations,
    max_tool_calls: flags.maxToolCalls,
    max_total_tokens: flags.maxTotalTokens,
    max_cost_usd: flags.maxCost,
    max_output_tokens: flags.maxOutputTokens,
    temperature: flags.temperature,
    thinking: flags.thinking,
    timeout_ms: flags.timeout,
    max_attempts: flags.attempts,
    idle_timeout_ms: flags.idleTimeout,
    stop_on: flags.stopOn,
  });
}

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T;
}
