/**
 * Keys and base URLs of providers: from explicit options, else from an environment that the caller hands over (the
 * runtime never reads one by itself). What is missing or cannot work is told before a run starts, and no text
 * about a key or a URL ever holds the key.
 */
import { ConfigError } from '../errors.ts';

/** Environment variables as a plain object; `process.env` is one. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** `fetch`, or something that does the same. */
export type FetchFunction = typeof globalThis.fetch;

/** Where a setting may come from. */
export interface SettingSources {
  /** Given by the caller; wins. */
  readonly given: string | undefined;
  /** Name of the option, for the error. */
  readonly option: string;
  readonly env: Environment | undefined;
  readonly variable: string;
}

/** A setting that was found, and the name of where it came from. */
export interface Setting {
  readonly value: string;
  readonly from: string;
}

/**
 * The API key; undefined where none is set. Throws a `ConfigError` (`invalid_api_key`) that does not show it when no HTTP
 * header can carry it.
 */
export function apiKey(sources: SettingSources): Setting | undefined {
  const found = setting(sources);
  if (found === undefined || /^[\x21-\x7e]+$/.test(found.value)) return found;
  throw new ConfigError(
    'invalid_api_key',
    `The API key in ${found.from} holds a blank, a line break or another character that no key has. Set ${found.from} to the key alone.`,
  );
}

/** The API key. Throws a `ConfigError` (`missing_api_key`, `invalid_api_key`) that names the variable and the model. */
export function requiredApiKey(spec: string, sources: SettingSources): Setting {
  const found = apiKey(sources);
  if (found !== undefined) return found;
  throw new ConfigError(
    'missing_api_key',
    `There is no API key for the model ${spec}: ${sources.variable} is not set. Set ${sources.variable}, or give the option ${sources.option}.`,
  );
}

/** The base URL, or undefined where none is set. Throws a `ConfigError` (`invalid_base_url`) when requests could not go there. */
export function baseUrl(sources: SettingSources): string | undefined {
  const found = setting(sources);
  if (found === undefined) return undefined;
  const problem = problemOf(found.value);
  if (problem === undefined) return found.value.replace(/\/+$/, '');
  throw new ConfigError(
    'invalid_base_url',
    `The base URL in ${found.from} ${problem}. Expected something like https://host/path, without user, password, query or fragment.`,
  );
}

/** A value that is only blank counts as none. */
function setting(sources: SettingSources): Setting | undefined {
  const given = sources.given?.trim();
  if (given) return { value: given, from: sources.option };
  const value = sources.env?.[sources.variable]?.trim();
  return value ? { value, from: sources.variable } : undefined;
}

function problemOf(text: string): string | undefined {
  const url = parseUrl(text);
  if (url === undefined) return 'is no URL';
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return `begins with ${url.protocol}`;
  if (url.username !== '' || url.password !== '') return 'holds a user or a password, which fetch refuses';
  if (url.search !== '' || url.hash !== '') return 'holds a query or a fragment';
  return undefined;
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    // Its error would show the text, and with it a password; that it is no URL is all there is to tell.
    return undefined;
  }
}
