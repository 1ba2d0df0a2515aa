/**
 * Prices of model calls from the library genai-prices, behind the `EstimateCost` port. A subpath of its own (`steerloop/prices`):
 * the price list is large and nobody who does not ask for it loads it. Portable; it fetches nothing.
 */
import { calcPrice, findProvider } from '@pydantic/genai-prices';
import type { EstimateCost, PricedCall } from './ports.ts';

/** The version of the library whose list is used; a test compares it with the installed one. */
const LIBRARY = '@pydantic/genai-prices 0.1.8';

/**
 * An estimator that knows the list prices of public providers, by their name (`anthropic`, `openai`, `groq`, ...) and at the time
 * of the call. A model, or a provider, that the list does not know costs null; so does one behind `openai-compatible`, which may be anybody's.
 */
export function libraryPrices(): EstimateCost {
  return Object.assign((call: PricedCall): number | null => priceOf(call), { source: LIBRARY });
}

function priceOf({ provider, model, usage, time }: PricedCall): number | null {
  // The library guesses a provider by parts of its name, and would take openai-compatible for OpenAI.
  if (findProvider({ providerId: provider })?.id !== provider) return null;
  const amounts = {
    // Its input is all input: what the cache served and stored is part of it.
    input_tokens: usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens,
    cache_read_tokens: usage.cache_read_tokens,
    cache_write_tokens: usage.cache_write_tokens,
    output_tokens: usage.output_tokens,
  };
  const price = calcPrice(amounts, model, { providerId: provider, timestamp: new Date(time) });
  if (price === null) return null;
  // A model that is on the list without any price comes out as 0, which would be a promise.
  return Object.keys(price.model_price).length === 0 ? null : price.total_price;
}
