/** A script file as a model: the part of `script:<file>` that reads a file. */
import { readFile, stat } from 'node:fs/promises';
import { ConfigError, codeOf, describeError } from '../runtime/errors.ts';
import { parseScript } from '../runtime/models/script/parse-script.ts';
import { scriptModel } from '../runtime/models/script/script-model.ts';
import type { Model } from '../runtime/ports.ts';

/** Largest script that is read, in bytes. */
const LARGEST_SCRIPT = 16 * 1_048_576;

/** The model that plays a script file. Rejects with a `ConfigError`: `script_unreadable`, or `invalid_script` with what is wrong in it. */
export async function loadScriptModel(path: string): Promise<Model> {
  return scriptModel(parseScript(await readScript(path), { path }));
}

async function readScript(path: string): Promise<string> {
  try {
    // Looked at before it is opened: opening a FIFO would wait for a writer.
    const stats = await stat(path);
    if (!stats.isFile()) throw new Error('it is no regular file');
    if (stats.size > LARGEST_SCRIPT) throw new Error(`it is larger than ${LARGEST_SCRIPT} bytes`);
    return await readFile(path, 'utf8');
  } catch (cause) {
    const why = codeOf(cause) === 'ENOENT' ? 'there is no such file' : describeError(cause);
    throw new ConfigError('script_unreadable', `Cannot read the script ${path}: ${why}. Give the path of a script file.`, { cause });
  }
}
