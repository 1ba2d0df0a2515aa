/** How long a provider asks to wait, from the headers of its answer. */

/**
 * Milliseconds to wait, 0 or more and however long; undefined where the headers say nothing that can be read.
 * `retry-after-ms` wins over `retry-after`, which holds seconds or an HTTP date (RFC 9110, section 10.2.3). A date is
 * measured against the answer's own `date`, so that a wrong clock on either side does not matter; `now` is asked without one.
 */
export function retryAfterMs(headers: Headers, now: () => number): number | undefined {
  return duration(headers.get('retry-after-ms'), 1) ?? duration(headers.get('retry-after'), 1_000) ?? untilDate(headers, now);
}

function duration(text: string | null, unitMs: number): number | undefined {
  return text !== null && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Math.ceil(Number(text) * unitMs) : undefined;
}

function untilDate(headers: Headers, now: () => number): number | undefined {
  const text = headers.get('retry-after') ?? '';
  // An HTTP date begins with the day of the week; Date.parse takes much else for a date, -5 among it.
  const until = /^[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  const answered = Date.parse(headers.get('date') ?? '');
  return Math.max(0, until - (Number.isNaN(answered) ? now() : answered));
}
