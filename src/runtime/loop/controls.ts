/**
 * The loop's side of controls (L1): what is taken from the state before a request leaves. Settings are applied, messages are
 * included, each with its one fate, in the order in which they were accepted.
 */
import { ConfigError, describeError } from '../errors.ts';
import type { RunConfig } from '../schema/config.ts';
import type { ModifyConfigControl } from '../schema/control.ts';
import type { Message } from '../schema/message.ts';
import { FINISH_TOOL_NAME } from '../stop-rule.ts';
import type { LoopContext } from './context.ts';
import { unpricedLimit } from './ledger.ts';

/** Whether the run was asked to end after this step. */
export function stopsAfterStep(run: LoopContext): boolean {
  return run.log.state.open_controls.some(({ control }) => control.type === 'stop' && control.mode === 'after_step');
}

/** Whether a message waits for the next request. */
export function messageWaits(run: LoopContext): boolean {
  return run.log.state.open_controls.some(({ control }) => control.type === 'inject');
}

/** Applies every change of settings that waits. */
export async function applySettings(run: LoopContext): Promise<void> {
  for (const { id, control } of run.log.state.open_controls) {
    if (control.type !== 'modify_config') continue;
    const refusal = await run.interruption.orCut(adopt(run, control));
    // Cut while a model was looked up: the end of the run gives the control its fate.
    if (run.interruption.cut !== undefined) return;
    const fate = refusal === undefined ? ({ kind: 'applied' } as const) : ({ kind: 'rejected', reason: refusal } as const);
    run.log.write<'control_applied'>({ type: 'control_applied', control_id: id, fate });
    run.runTimer.set();
  }
}

/** Takes back the changes that no request has been through yet. False when there are none. */
export function takeBackSettings(run: LoopContext, why: string): boolean {
  const { unproven } = run.log.state;
  if (unproven === undefined) return false;
  // Limits that were raised meanwhile stay; only what the request carries can have been refused.
  const { max_output_tokens, temperature, thinking, model, stop_on } = unproven.config;
  const config = { ...run.log.state.config, max_output_tokens, temperature, thinking, model, stop_on: stop_on ?? unproven.stop_on };
  run.log.write<'warning'>({
    type: 'warning',
    code: 'config_refused',
    message: `The provider refused the changed settings; they are taken back. ${why}`,
    config,
  });
  if (run.model !== run.provenModel) useModel(run, run.provenModel);
  return true;
}

/** Puts a change into force as far as it is more than data; says why when it cannot be. */
async function adopt(run: LoopContext, control: ModifyConfigControl): Promise<string | undefined> {
  const { type: _type, id: _id, ...change } = control;
  if (change.stop_on === 'finish_tool' && run.tools.get(FINISH_TOOL_NAME) !== undefined) return 'finish_name_taken';
  try {
    const model = change.model === undefined ? run.model : await resolve(run, change.model);
    checkPrice(run, { ...run.log.state.config, ...change }, model);
    if (model !== run.model) useModel(run, model);
    return undefined;
  } catch (error) {
    run.log.warn('control_rejected', describeError(error));
    return error instanceof ConfigError ? error.code : 'model_unavailable';
  }
}

/** Puts the model of the agent's own config into force, before the first request. Throws what `models` throws. */
export async function useConfiguredModel(run: LoopContext): Promise<void> {
  const { model: spec } = run.log.state.config;
  if (spec === undefined) return;
  const model = await resolve(run, spec);
  checkPrice(run, run.log.state.config, model);
  useModel(run, model);
  run.provenModel = model;
}

async function resolve(run: LoopContext, spec: string) {
  if (run.agent.models === undefined) {
    throw new ConfigError('unknown_model', `The agent cannot change its model to ${spec}: it has no \`models\` to resolve a name.`);
  }
  return await run.agent.models(spec);
}

/** Throws a `ConfigError` `price_unknown` for a cost limit that could not be kept. */
export function checkPrice(run: LoopContext, config: RunConfig, model: LoopContext['model']): void {
  const name = { provider: model.provider, model: model.model };
  const problem = unpricedLimit(config, run.ledger.knowsPrice(name, run.log.clock.now()), name);
  if (problem !== undefined) throw new ConfigError(...problem);
}

function useModel(run: LoopContext, model: LoopContext['model']): void {
  run.model = model;
  run.log.redactor = run.log.redactor.with(model.secrets ?? []);
  run.log.write<'model_changed'>({ type: 'model_changed', model: { provider: model.provider, model: model.model } });
}

/** Puts every message that waits into the conversation, as messages of their own behind the results. */
export function includeMessages(run: LoopContext): void {
  const { iteration } = run.log.state;
  for (const { id, control } of run.log.state.open_controls) {
    if (control.type !== 'inject') continue;
    const content: Message['content'] = typeof control.message === 'string' ? [{ type: 'text', text: control.message }] : control.message;
    const message: Message = { id: run.ids.next('message'), role: 'user', content, time: run.log.clock.now() };
    run.log.write<'control_applied'>({ type: 'control_applied', control_id: id, fate: { kind: 'included', iteration }, message });
  }
}
