/** The model behind `script:<file>`. */
import type { Model, Timers } from '../../ports.ts';
import { ScriptPlayer } from './script-player.ts';
import type { Script } from './script-schema.ts';

/**
 * A model that plays a script, one step a call, from its first step on. A call behind the last step fails with a `ModelError` of
 * class invalid_request. `name` goes before the script's own; waits go through `timers` (default: the platform's).
 */
export function scriptModel(script: Script, options: { name?: string; timers?: Timers } = {}): Model {
  const provider = 'script';
  const player = new ScriptPlayer(script.steps, { provider, timers: options.timers });
  return {
    provider,
    model: options.name ?? script.model ?? 'script',
    respond: (request, call) => player.respond(request, call),
  };
}
