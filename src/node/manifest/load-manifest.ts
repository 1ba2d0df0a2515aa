/**
 * Loads a manifest: reads the file, checks everything that can be checked before a run, and either gives a
 * manifest without a problem or throws one error with all of them. Nothing is run and no tool is made here.
 */
import { ConfigError, codeOf, describeError } from '../../runtime/errors.ts';
import { readRegularFile } from '../read-regular-file.ts';
import type { Manifest } from './manifest.ts';
import { ManifestProblems } from './manifest-problems.ts';
import { readTools } from './read-manifest.ts';
import { readYaml } from './read-yaml.ts';

/** More than the characters that the parser takes can need: what is just a little too long is its to tell. */
const MOST_BYTES = 4 * 1_048_576;

/**
 * Reads and checks a manifest file. Rejects with a `ConfigError`: code `manifest_unreadable` when there is no
 * regular file with UTF-8 text at `path`, else `bad_manifest` with a line for each problem (`file:line: tool "name", ...`).
 */
export async function loadManifest(path: string): Promise<Manifest> {
  return parseManifest(await readManifestFile(path), { path });
}

/** Checks the text of a manifest; `path` only names it in messages. Rejects with a `ConfigError` of code `bad_manifest`. */
export async function parseManifest(text: string, { path }: { path: string }): Promise<Manifest> {
  const problems = new ManifestProblems(path);
  const root = readYaml(text, problems);
  const tools = root === undefined ? [] : await readTools(root, problems);
  problems.throwIfAny();
  return { path, tools };
}

async function readManifestFile(path: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readRegularFile(path, MOST_BYTES));
  } catch (cause) {
    const why = codeOf(cause) === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'is not UTF-8 text' : describeError(cause);
    const message = `Cannot read the manifest ${path}: it ${why}. Give the path of a manifest of tools, a YAML file.`;
    throw new ConfigError('manifest_unreadable', message, { cause });
  }
}
