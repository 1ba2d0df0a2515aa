import { describe, expect, it } from 'vitest';
import { formatDuration, parseDuration } from '../../../src/node/manifest/duration.ts';

describe('A duration', () => {
  it.each(['0s', '1ms', '1500ms', '20s', '90s', '5m', '1h', '1000h'])('%s is shown as it was written', (text) => {
    expect(formatDuration(parseDuration(text) ?? -1)).toBe(text);
  });

  it('is shown in the largest unit that needs no fraction', () => {
    expect(formatDuration(60_000)).toBe('1m');
    expect(formatDuration(5_400_000)).toBe('90m');
  });

  it.each(['', '5', '5 s', '-5s', '5d', '1m30s', '1e3s', '.5s', '99999999999999999h'])('is not %j', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });
});
