/**
 * Which environment variables a command gets. A command is started by a model, so it gets what programs need
 * to work and what its manifest names, and never by accident a key of ours.
 */
import type { Environment } from '../../runtime/models/credentials.ts';
import type { EnvironmentRule } from '../manifest/manifest.ts';

/** What every command gets, where it is set. */
export const ALLOWED_VARIABLES: readonly string[] = ['PATH', 'HOME', 'LANG', 'TERM', 'TZ', 'USER', 'SHELL', 'TMPDIR'];

/** What `env: inherit` leaves out: the secrets that the runtime and the provider SDKs read. */
export const RUNTIME_KEYS: readonly string[] = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'ANTHROPIC_CUSTOM_HEADERS',
  'ANTHROPIC_ENVIRONMENT_KEY',
  'ANTHROPIC_IDENTITY_TOKEN',
  'ANTHROPIC_WEBHOOK_SIGNING_KEY',
  'ANTHROPIC_WORK_SECRET',
  'AZURE_OPENAI_API_KEY',
  'OPENAI_ADMIN_KEY',
  'OPENAI_API_KEY',
  'OPENAI_CUSTOM_HEADERS',
  'OPENAI_WEBHOOK_SECRET',
];

/** The environment of a command, from its manifest's rule and the environment of this process. */
export function commandEnvironment(rule: EnvironmentRule, env: Environment): Record<string, string> {
  if (rule.kind === 'inherit') return pick(env, (name) => !RUNTIME_KEYS.includes(name));
  const passed = [...ALLOWED_VARIABLES, ...rule.pass];
  return { ...pick(env, (name) => passed.includes(name)), ...rule.set };
}

function pick(env: Environment, wanted: (name: string) => boolean): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined && wanted(entry[0])));
}
