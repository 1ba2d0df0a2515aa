/**
 * Loads the agent of a run inside its thread, from a module or from data. What is wrong with it is a `ConfigError` that
 * names the module, what was expected of it, and what to do.
 */
import type { Agent } from '../runtime/agent.ts';
import { ConfigError, codeOf, describeError } from '../runtime/errors.ts';
import type { AgentSource } from './channel-messages.ts';

const EXAMPLE = '`export default defineAgent({ model, tools })`';

/** The agent of a run. Throws a `ConfigError`: `agent_not_found`, `agent_failed`, `agent_missing`, `agent_invalid`, or one about the data. */
export async function loadAgent(source: AgentSource): Promise<Agent> {
  if (source.kind === 'module') return agentOf(source.specifier, await importModule(source.specifier));
  const { agentFromData } = await import('../node/agent-from-data.ts');
  return agentFromData(source.data, { env: process.env });
}

async function importModule(specifier: string): Promise<object> {
  try {
    return (await import(specifier)) as object;
  } catch (error) {
    throw importFailed(specifier, error);
  }
}

function importFailed(specifier: string, error: unknown): ConfigError {
  const code = codeOf(error);
  const text = describeError(error);
  if (code === 'ERR_MODULE_NOT_FOUND' && missingIn(text).includes(nameIn(specifier))) {
    return new ConfigError(
      'agent_not_found',
      `There is no agent module ${specifier}. Give the path of a module, or the name of an installed package.`,
      {
        cause: error,
      },
    );
  }
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION' || (error instanceof SyntaxError && /\.[cm]?tsx?$/.test(specifier))) {
    return new ConfigError(
      'agent_failed',
      `The agent module ${specifier} cannot be loaded as it is: ${text}. Compile it to JavaScript; Node 22.18 and later also load TypeScript whose types can be stripped.`,
      { cause: error },
    );
  }
  return new ConfigError('agent_failed', `The agent module ${specifier} failed while it was loaded: ${text}. Correct it and start again.`, {
    cause: error,
  });
}

/** What Node's error says is missing, without who imports it: that may be the agent module itself, which then is there. */
function missingIn(text: string): string {
  return text.split("' imported from ")[0] ?? text;
}

/** How Node's error names a module that is missing: by path, not by URL. */
function nameIn(specifier: string): string {
  return specifier.startsWith('file:') ? decodeURIComponent(new URL(specifier).pathname) : specifier;
}

function agentOf(specifier: string, module: object): Agent {
  const exported: unknown = 'default' in module ? module.default : undefined;
  if (exported === undefined) {
    throw new ConfigError('agent_missing', `The agent module ${specifier} has no default export. End it with ${EXAMPLE}.`);
  }
  if (!isAgent(exported)) {
    throw new ConfigError(
      'agent_invalid',
      `The default export of ${specifier} is no agent: expected an object with a \`model\` that has \`respond\`. End the module with ${EXAMPLE}.`,
    );
  }
  return exported;
}

function isAgent(value: unknown): value is Agent {
  if (typeof value !== 'object' || value === null || !('model' in value)) return false;
  const { model } = value;
  return typeof model === 'object' && model !== null && 'respond' in model && typeof model.respond === 'function';
}
