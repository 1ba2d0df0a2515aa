/** Prices as the runtime asks for them (L5): a price function that throws knows nothing, and a cost limit without a price is refused. */
import { ConfigError } from './errors.ts';
import type { EstimateCost } from './ports.ts';
import type { RunConfig } from './schema/config.ts';
import type { ModelName } from './schema/model-request.ts';
import { NO_USAGE, type Usage } from './schema/usage.ts';

/** Cost of a call in US dollars, or null when it is not known. Never throws. */
export function costOf(estimateCost: EstimateCost | undefined, model: ModelName, usage: Usage, time: number): number | null {
  if (estimateCost === undefined) return null;
  try {
    const cost = estimateCost({ ...model, usage, time });
    return typeof cost === 'number' && Number.isFinite(cost) && cost >= 0 ? cost : null;
  } catch {
    // The port's contract: a throw counts as null.
    return null;
  }
}

/** Why a config cannot be kept with this model: it limits the cost, and no call of the model has a price. Undefined: it can. */
export function unpricedLimit(
  config: RunConfig,
  model: ModelName,
  estimateCost: EstimateCost | undefined,
  time: number,
): ConfigError | undefined {
  if (config.max_cost_usd === undefined) return undefined;
  if (costOf(estimateCost, model, { ...NO_USAGE, input_tokens: 1_000, output_tokens: 1_000 }, time) !== null) return undefined;
  return new ConfigError(
    'price_unknown',
    `max_cost_usd is ${config.max_cost_usd}, but the price of ${model.provider}:${model.model} is not known. Give hooks.estimateCost a price for it, or limit max_total_tokens instead.`,
  );
}
