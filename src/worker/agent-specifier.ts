/** Where an agent module is: a caller's specifier made into one that a thread can import, whatever folder it stands in. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigError } from '../runtime/errors.ts';

/**
 * What a thread imports for `specifier`: URLs stay as they are; a path, also one without `./` when there is such a file, is
 * taken from `cwd`; anything else is a package, looked up from `cwd`. Throws a `ConfigError` `agent_not_found` for a file that is
 * not there; whether a package is shows when it is imported.
 */
export function agentSpecifier(specifier: string, cwd: string = process.cwd()): string {
  if (/^[a-z][a-z+.-]+:/i.test(specifier)) return existing(specifier);
  const path = resolve(cwd, specifier);
  if (isAbsolute(specifier) || /^\.{1,2}[/\\]/.test(specifier) || existsSync(path)) return existing(pathToFileURL(path).href);
  return packageSpecifier(specifier, cwd);
}

function existing(url: string): string {
  if (!url.startsWith('file:') || existsSync(new URL(url))) return url;
  throw new ConfigError(
    'agent_not_found',
    `There is no agent module ${url}. Give the path of a module, or the name of an installed package.`,
  );
}

function packageSpecifier(specifier: string, cwd: string): string {
  try {
    return pathToFileURL(createRequire(join(cwd, 'package.json')).resolve(specifier)).href;
  } catch {
    // Not there, or only for `import`: the thread's own import decides, and its error names the package.
    return specifier;
  }
}
