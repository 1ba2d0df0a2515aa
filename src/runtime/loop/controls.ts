/**
 * The loop's side of controls (L1): what is taken from the state before a request leaves. Settings are applied, messages are
 * included, each with its one fate, in the order in which they were accepted.
 */

import { unpricedLimit } from '../call-cost.ts';
import { ConfigError, describeError } from '../errors.ts';
import { isBlank } from '../input.ts';
import type { Model } from '../ports.ts';
import type { RunConfig } from '../schema/config.ts';
import type { ModifyConfigControl } from '../schema/control.ts';
import type { Message } from '../schema/message.ts';
import { nameOf } from '../schema/model-request.ts';
import { FINISH_TOOL_NAME } from '../stop-rule.ts';
import type { LoopContext } from './context.ts';

/** Whether the run was asked to end after this step. */
export function stopsAfterStep(run: LoopContext): boolean {
  return run.log.state.open_controls.some(({ control }) => control.type === 'stop' && control.mode === 'after_step');
}

/** Whether a message waits for the next request. */
export function messageWaits(run: LoopContext): boolean {
  return run.log.state.open_controls.some(({ control }) => control.type === 'inject');
}

/** Applies every change of settings that waits. A cut ends the wait for a model; the end of the run gives the control its fate then. */
export async function applySettings(run: LoopContext): Promise<void> {
  for (const { id, control } of run.log.state.open_controls) {
    if (control.type !== 'modify_config') continue;
    const found = control.model === undefined ? run.model.current : await run.interruption.orCut(findModel(run, control.model));
    if (found === undefined) return;
    const refusal = adopt(run, control, found);
    const fate = refusal === undefined ? ({ kind: 'applied' } as const) : ({ kind: 'rejected', reason: refusal.code } as const);
    if (refusal !== undefined) run.log.warn('control_rejected', refusal.message);
    run.log.write({ type: 'control_applied', control_id: id, fate });
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
  run.log.write({
    type: 'warning',
    code: 'config_refused',
    message: `The provider refused the changed settings; they are taken back. ${why}`,
    config,
  });
  run.model.takeBack();
  return true;
}

/** Puts a change into force as far as it is more than data; says why when it cannot be. */
function adopt(run: LoopContext, control: ModifyConfigControl, model: Model | ConfigError): ConfigError | undefined {
  const { type: _type, id: _id, ...change } = control;
  if (model instanceof ConfigError) return model;
  if (change.stop_on === 'finish_tool' && run.tools.get(FINISH_TOOL_NAME) !== undefined) {
    return new ConfigError(
      'finish_name_taken',
      `The stop rule finish_tool needs the name ${FINISH_TOOL_NAME}, which a tool of the agent has.`,
    );
  }
  const unpriced = priceProblem(run, { ...run.log.state.config, ...change }, model);
  if (unpriced !== undefined) return unpriced;
  run.model.change(model);
  return undefined;
}

/** Puts the model of the agent's own config into force, before the first request. Throws a `ConfigError` where it cannot be found. */
export async function useConfiguredModel(run: LoopContext): Promise<void> {
  const { config } = run.log.state;
  if (config.model === undefined) return;
  const model = await run.interruption.orCut(findModel(run, config.model));
  if (model === undefined) return;
  if (model instanceof ConfigError) throw model;
  checkPrice(run, config, model);
  run.model.change(model);
  run.model.confirm();
}

/** The model of a name, ready for its first request; or why there is none. Never rejects. */
async function findModel(run: LoopContext, spec: string): Promise<Model | ConfigError> {
  if (run.agent.models === undefined) {
    return new ConfigError('unknown_model', `The agent cannot change its model to ${spec}: it has no \`models\` to resolve a name.`);
  }
  try {
    const model = await run.agent.models(spec);
    await model.prepare?.();
    return model;
  } catch (error) {
    if (error instanceof ConfigError) return error;
    return new ConfigError('model_unavailable', `The model ${spec} cannot be used: ${describeError(error)}`, { cause: error });
  }
}

/** Throws a `ConfigError` `price_unknown` for a cost limit that could not be kept. */
export function checkPrice(run: LoopContext, config: RunConfig, model: Model): void {
  const problem = priceProblem(run, config, model);
  if (problem !== undefined) throw problem;
}

function priceProblem(run: LoopContext, config: RunConfig, model: Model): ConfigError | undefined {
  return unpricedLimit(config, nameOf(model), run.agent.hooks?.estimateCost, run.log.clock.now());
}

/** Puts every message that waits into the conversation, as messages of their own behind the results. */
export function includeMessages(run: LoopContext): void {
  const { iteration } = run.log.state;
  for (const { id, control } of run.log.state.open_controls) {
    if (control.type !== 'inject') continue;
    const said: Message['content'] = typeof control.message === 'string' ? [{ type: 'text', text: control.message }] : control.message;
    const content = said.filter((block) => !isBlank(block));
    const message: Message = { id: run.ids.next('message'), role: 'user', content, time: run.log.clock.now() };
    run.log.write({ type: 'control_applied', control_id: id, fate: { kind: 'included', iteration }, message });
  }
}
