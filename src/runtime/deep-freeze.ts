/**
 * Freezes data through and through, so that a change behind its back is a TypeError where it happens: in a listener, say, that
 * would otherwise change the journal and what runs.
 */

/**
 * Freezes a value and all it holds, in place, and returns it. What is frozen already is taken to be so through and through: it is
 * asked for every event, and what an event shares with the one before it is not walked again.
 */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  // Bytes cannot be frozen, and a signal must go on changing.
  if (ArrayBuffer.isView(value) || value instanceof AbortSignal) return value;
  Object.freeze(value);
  if (Array.isArray(value)) for (const item of value) deepFreeze(item);
  else for (const key of Object.keys(value)) deepFreeze(value[key as keyof typeof value]);
  return value;
}
