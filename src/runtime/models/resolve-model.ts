/**
 * Model specs, `provider:model`, as people write them in flags and configs. The providers of the runtime are known here;
 * a caller with further schemes (a script from a file, say) hands them over.
 */
import { ConfigError } from '../errors.ts';
import type { Model } from '../ports.ts';
import { anthropicModel } from './anthropic-model.ts';
import type { Environment, FetchFunction } from './credentials.ts';
import { openaiCompatibleModel, openaiModel } from './openai-model.ts';

/** Options of `resolveModel`; all but `schemes` are handed to the provider's own factory. */
export interface ResolveModelOptions {
  /** Where ANTHROPIC_API_KEY, OPENAI_API_KEY, ANTHROPIC_BASE_URL and OPENAI_BASE_URL are looked for. */
  readonly env?: Environment;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly fetch?: FetchFunction;
  /** Further schemes: each gets what stands behind the colon. They win over the built-in ones. */
  readonly schemes?: Readonly<Record<string, ModelScheme>>;
}

/** Makes a model of what stands behind the colon of a spec. Throws a `ConfigError` that names it when it cannot. */
export type ModelScheme = (name: string) => Model;

/**
 * The model of a spec such as `anthropic:claude-sonnet-4-5`. Throws a `ConfigError`: `unknown_model_spec`, or what the provider's
 * factory throws (`missing_api_key`, `missing_base_url`, ...). No request is made and no SDK is loaded.
 */
export function resolveModel(spec: string, options: ResolveModelOptions = {}): Model {
  const { schemes, ...shared } = options;
  const known: ReadonlyMap<string, ModelScheme> = new Map<string, ModelScheme>([
    ['anthropic', (model) => anthropicModel({ ...shared, model })],
    ['openai', (model) => openaiModel({ ...shared, model })],
    ['openai-compatible', (model) => openaiCompatibleModel({ ...shared, model })],
    ...Object.entries(schemes ?? {}),
  ]);
  const colon = spec.indexOf(':');
  const scheme = known.get(spec.slice(0, Math.max(0, colon)).trim());
  const name = spec.slice(colon + 1).trim();
  if (scheme !== undefined && name !== '') return scheme(name);
  const expected = [...known.keys()].map((key) => `${key}:<${key === 'script' ? 'file' : 'model'}>`).join(', ');
  throw new ConfigError(
    'unknown_model_spec',
    `${JSON.stringify(spec)} names no model that is known here. Expected one of ${expected}.${guess(spec)}`,
  );
}

function guess(spec: string): string {
  if (/^claude/i.test(spec)) return ` Did you mean anthropic:${spec}?`;
  return /^(gpt|o\d|chatgpt)/i.test(spec) ? ` Did you mean openai:${spec}?` : '';
}
