/**
 * What is checked before a thread starts: everything that a caller must fix and that can be seen from here. What is wrong
 * is thrown and names the thing, what was expected and what to do.
 */
import * as v from 'valibot';
import { type AgentData, agentDataSchema } from '../node/agent-data.ts';
import { absoluteAgentData, checkAgentData } from '../node/agent-from-data.ts';
import { ConfigError } from '../runtime/errors.ts';
import { normalizeInput } from '../runtime/input.ts';
import { parseConfig } from '../runtime/parse-config.ts';
import type { Clock, Ids } from '../runtime/ports.ts';
import { agentSpecifier } from './agent-specifier.ts';
import type { AgentSource } from './channel-messages.ts';
import type { HostStartOptions } from './host-options.ts';
import { findNotPlain } from './plain-data.ts';

/** The parts of a start message that come from the caller, checked. */
export interface CheckedStart {
  readonly agent: AgentSource;
  readonly input: ReturnType<typeof normalizeInput>;
  readonly config: ReturnType<typeof parseConfig>;
  /** Keys of the agent's model, as far as they can be known from here. */
  readonly secrets: readonly string[];
}

/** Checks the agent, the input and the config. Rejects with a `ConfigError`. */
export async function checkStart(options: HostStartOptions, ports: { readonly ids: Ids; readonly clock: Clock }): Promise<CheckedStart> {
  const { agent, input, config } = options;
  for (const [name, value] of Object.entries({ agent, input, config })) refuseNotPlain(name, value);
  const checked = { input: normalizeInput(input, ports), config: parseConfig(config) };
  if (typeof agent === 'string') return { ...checked, agent: moduleSource(agent), secrets: [] };
  const data = absoluteAgentData(parseAgentData(agent), process.cwd());
  return { ...checked, agent: { kind: 'data', data }, secrets: await checkAgentData(data, checked.config, { env: process.env }) };
}

/** Throws a `ConfigError` `invalid_key` for a key that is no text, or a senseless one. */
export function checkKey(key: string | undefined): void {
  if (key === undefined || (typeof key === 'string' && key.trim() !== '' && key.length <= 200)) return;
  throw new ConfigError('invalid_key', 'The key of a run is not valid: expected a text of 1 to 200 characters. Give one, or leave it out.');
}

function moduleSource(specifier: string): AgentSource {
  if (specifier.trim() !== '') return { kind: 'module', specifier: agentSpecifier(specifier) };
  throw new ConfigError('invalid_agent', 'The agent is an empty text; expected the path, URL or package name of an agent module.');
}

function refuseNotPlain(name: string, value: unknown): void {
  const found = findNotPlain(value, name);
  if (found === undefined) return;
  const hint =
    name === 'agent'
      ? 'Export the agent from a module (`export default defineAgent({...})`) and give the path of that module.'
      : 'Give plain data: texts, numbers, booleans, lists and objects.';
  throw new ConfigError('cannot_cross', `${found.path} is ${found.what}, which cannot cross into a thread. ${hint}`);
}

function parseAgentData(agent: unknown): AgentData {
  const parsed = v.safeParse(agentDataSchema, agent);
  if (parsed.success) return parsed.output;
  const problems = parsed.issues.map((issue) => `${v.getDotPath(issue) ?? 'agent'}: ${issue.message}`);
  throw new ConfigError('invalid_agent', `The agent is neither a module specifier nor agent data. ${problems.join('; ')}.`);
}
