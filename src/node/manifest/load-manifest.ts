/**
 * Loads a manifest: reads the file, checks everything that can be checked before a run, and either gives a
 * manifest without a problem or throws one error with all of them. Nothing is run and no tool is made here.
 */
import { readFile, stat } from 'node:fs/promises';
import { ConfigError, codeOf, describeError } from '../../runtime/errors.ts';
import type { Manifest } from './manifest.ts';
import { ManifestProblems } from './manifest-problems.ts';
import { readTools } from './read-manifest.ts';
import { readYaml } from './read-yaml.ts';

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
    // Looked at before it is opened: opening a FIFO would wait for a writer.
    if (!(await stat(path)).isFile()) throw new Error('it is no regular file');
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(path));
  } catch (cause) {
    throw new ConfigError('manifest_unreadable', `cannot read the manifest ${path}: ${reasonOf(cause)}`, { cause });
  }
}

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EACCES') return 'it may not be read';
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'it is not UTF-8 text';
  return describeError(error);
}
