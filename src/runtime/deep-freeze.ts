/**
 * Freezes data through and through, so that a change behind its back is a TypeError where it happens: in a listener, say, that
 * would otherwise change the journal and what runs.
 */

const frozen = new WeakSet<object>();

/** Freezes a value and all it holds, in place, and returns it. What was frozen so before is not walked again. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || frozen.has(value)) return value;
  frozen.add(value);
  // Bytes cannot be frozen, and a signal must go on changing.
  if (ArrayBuffer.isView(value) || value instanceof AbortSignal) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}
