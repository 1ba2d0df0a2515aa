/** A script file as a model: the part of `script:<file>` that reads a file. */
import { ConfigError, describeError } from '../runtime/errors.ts';
import { parseScript } from '../runtime/models/script/parse-script.ts';
import { scriptModel } from '../runtime/models/script/script-model.ts';
import type { Model } from '../runtime/ports.ts';
import { readRegularFile } from './read-regular-file.ts';

/** Largest script that is read, in bytes. */
const LARGEST_SCRIPT = 16 * 1_048_576;

/** The model that plays a script file. Rejects with a `ConfigError`: `script_unreadable`, or `invalid_script` with what is wrong in it. */
export async function loadScriptModel(path: string): Promise<Model> {
  return scriptModel(parseScript(await readScript(path), { path }));
}

async function readScript(path: string): Promise<string> {
  try {
    return (await readRegularFile(path, LARGEST_SCRIPT)).toString('utf8');
  } catch (cause) {
    const why = describeError(cause);
    throw new ConfigError('script_unreadable', `Cannot read the script ${path}: it ${why}. Give the path of a script file.`, { cause });
  }
}
