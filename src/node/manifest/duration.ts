/** Durations as people write them by hand, in a manifest for instance: `500ms`, `20s`, `5m`, `1h`, also `1.5h`. */

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const LARGEST_FIRST = ['h', 'm', 's', 'ms'] as const;

/** What a duration looks like, for error messages. */
export const DURATION_FORM = 'a duration such as 500ms, 20s, 5m or 1h';

/** Milliseconds, a whole number of 0 or more; undefined when the text is no duration. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? [];
  const milliseconds = Math.round(Number(amount) * (UNITS[unit] ?? Number.NaN));
  return Number.isSafeInteger(milliseconds) ? milliseconds : undefined;
}

/** A whole number of milliseconds in the largest unit that shows it without a fraction: 60000 is `1m`, 1500 is `1500ms`. */
export function formatDuration(milliseconds: number): string {
  const unit = LARGEST_FIRST.find((name) => milliseconds % (UNITS[name] ?? 1) === 0) ?? 'ms';
  return milliseconds === 0 ? '0s' : `${milliseconds / (UNITS[unit] ?? 1)}${unit}`;
}
