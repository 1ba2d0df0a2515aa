/**
 * From AgentData to an agent: the model by its spec, the tools of the manifest. The command line's agent is made here, in
 * the thread that runs it; a host makes it once before, to find what is wrong while it can still be thrown.
 */
import { resolve } from 'node:path';
import type { Agent } from '../runtime/agent.ts';
import { unpricedLimit } from '../runtime/call-cost.ts';
import { systemClock } from '../runtime/default-ports.ts';
import { ConfigError } from '../runtime/errors.ts';
import type { Environment } from '../runtime/models/credentials.ts';
import { resolveModel } from '../runtime/models/resolve-model.ts';
import type { EstimateCost, Model, ResolveModel } from '../runtime/ports.ts';
import type { RunConfig } from '../runtime/schema/config.ts';
import { nameOf } from '../runtime/schema/model-request.ts';
import type { Tool } from '../runtime/tools/tool.ts';
import type { AgentData } from './agent-data.ts';
import { loadScriptModel } from './script-file.ts';

const SCRIPT = 'script:';

/** Options of `agentFromData`. */
export interface AgentFromDataOptions {
  /** Where keys and base URLs come from, and what commands get their part of. */
  readonly env: Environment;
}

/**
 * Makes the agent. Rejects with a `ConfigError` for a model spec that is none, a key that is missing (naming the variable), a
 * script or a manifest that is not right.
 */
export async function agentFromData(data: AgentData, { env }: AgentFromDataOptions): Promise<Agent> {
  const models: ResolveModel = (spec) => modelOf(spec, data, env);
  return {
    model: await models(data.model),
    models,
    tools: await toolsOf(data, env),
    ...(data.system !== undefined && { system: data.system }),
    ...(data.config !== undefined && { config: data.config }),
    ...(wantsPrices(data) && { hooks: { estimateCost: await loadPrices() } }),
  };
}

/**
 * Finds what would be wrong with the agent and its run, and gives the keys of its models. `config` goes over the agent's own.
 * Rejects with a `ConfigError`: what `agentFromData` rejects with, and `price_unknown` for a cost limit that nobody could keep.
 */
export async function checkAgentData(data: AgentData, config: RunConfig, { env }: AgentFromDataOptions): Promise<readonly string[]> {
  const own = await modelOf(data.model, data, env);
  const used = config.model === undefined ? own : await modelOf(config.model, data, env);
  await toolsOf(data, env);
  const limits = { ...data.config, ...config };
  // Without a cost limit there is nothing to ask the price list.
  const estimateCost = limits.max_cost_usd !== undefined && wantsPrices(data) ? await loadPrices() : undefined;
  const unpriced = unpricedLimit(limits, nameOf(used), estimateCost, systemClock.now());
  if (unpriced !== undefined) throw unpriced;
  return [...(own.secrets ?? []), ...(used.secrets ?? [])];
}

/** The same data with its relative paths taken from `cwd`, fit to be read in another place. */
export function absoluteAgentData(data: AgentData, cwd: string): AgentData {
  const model = data.model.startsWith(SCRIPT) ? SCRIPT + resolve(cwd, data.model.slice(SCRIPT.length)) : data.model;
  return { ...data, model, ...(data.tools !== undefined && { tools: resolve(cwd, data.tools) }) };
}

async function modelOf(spec: string, data: AgentData, env: Environment): Promise<Model> {
  if (spec.startsWith(SCRIPT)) return loadScriptModel(spec.slice(SCRIPT.length));
  // Only so that the error for an unknown spec lists scripts too.
  return resolveModel(spec, { env, baseUrl: data.base_url, schemes: { script: () => unreachable(spec) } });
}

function unreachable(spec: string): never {
  throw new ConfigError('unknown_model_spec', `${JSON.stringify(spec)} names no script file; expected script:<file>.`);
}

async function toolsOf(data: AgentData, env: Environment): Promise<readonly Tool[]> {
  if (data.tools === undefined) return [];
  // Loaded only where there is a manifest: the YAML parser is most of what a thread without one would carry.
  const [{ loadManifest }, { commandTools }] = await Promise.all([
    import('./manifest/load-manifest.ts'),
    import('./command/command-tools.ts'),
  ]);
  return commandTools(await loadManifest(data.tools), { env, skipConfirm: data.skip_confirm });
}

/** A script has no price; without it a thread starts without the price list, which is large. */
function wantsPrices(data: AgentData): boolean {
  return data.prices !== false && !data.model.startsWith(SCRIPT);
}

async function loadPrices(): Promise<EstimateCost> {
  const { libraryPrices } = await import('../runtime/prices.ts');
  return libraryPrices();
}
