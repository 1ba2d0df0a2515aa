/** Prices from the library: right where it knows the model, and null where it does not. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import type { PricedCall } from '../../src/runtime/ports.ts';
import { libraryPrices } from '../../src/runtime/prices.ts';

const price = libraryPrices();
const TIME = Date.parse('2026-12-01T00:00:00Z');

function call(provider: string, model: string, usage: Partial<PricedCall['usage']>): PricedCall {
  const none = { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0, complete: true };
  return { provider, model, usage: { ...none, ...usage }, time: TIME };
}

describe('the library’s prices', () => {
  it('charge input, output, cache reads and cache writes once each', () => {
    const one = (usage: Partial<PricedCall['usage']>) => price(call('anthropic', 'claude-sonnet-4-5', usage)) ?? Number.NaN;
    const parts = [{ input_tokens: 1_000 }, { output_tokens: 1_000 }, { cache_read_tokens: 1_000 }, { cache_write_tokens: 1_000 }].map(one);

    // List prices of that model, in dollars for a million tokens: 3, 15, 0.30, 3.75.
    expect(parts).toEqual([0.003, 0.015, 0.0003, 0.00375].map((usd) => expect.closeTo(usd, 9)));
    expect(one({ input_tokens: 1_000, output_tokens: 1_000, cache_read_tokens: 1_000, cache_write_tokens: 1_000 })).toBeCloseTo(
      parts.reduce((sum, part) => sum + part, 0),
      9,
    );
  });

  it('know models of OpenAI, and that nothing used costs nothing', () => {
    expect(price(call('openai', 'gpt-4.1-nano', { input_tokens: 1_000_000 }))).toBeCloseTo(0.1, 9);
    expect(price(call('openai', 'gpt-4.1-nano', {}))).toBe(0);
  });

  it.each([
    ['anthropic', 'claude-of-next-year'],
    ['openai', 'gpt-nobody-knows'],
    ['openai-compatible', 'gpt-4.1-nano'],
    ['script', 'demo'],
    ['my-proxy', 'claude-sonnet-4-5'],
    ['openai', 'omni-moderation-latest'],
  ])('are null, and never 0, for %s:%s', (provider, model) => {
    expect(price(call(provider, model, { input_tokens: 1_000, output_tokens: 10 }))).toBeNull();
  });

  it('name the library and the version that is installed', async () => {
    const entry = createRequire(import.meta.url).resolve('@pydantic/genai-prices');
    const manifest = JSON.parse(await readFile(new URL('../package.json', `file://${entry}`), 'utf8')) as { name: string; version: string };

    expect(price.source).toBe(`${manifest.name} ${manifest.version}`);
  });
});
