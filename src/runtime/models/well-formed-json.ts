/** Request bodies without lone surrogates, which providers refuse: one cut emoji would end every later request of a run. */
import { wellFormed } from '../tools/cut-text.ts';

/** The value with every text in it made well-formed. Parts that were so already are the same objects. */
export function wellFormedJson<T>(value: T): T {
  return walk(value) as T;
}

function walk(value: unknown): unknown {
  if (typeof value === 'string') return wellFormed(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(walk);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const before = Object.entries(value);
  const after = before.map(([key, inner]) => [wellFormed(key), walk(inner)] as const);
  const changed = after.some(([key, inner], index) => key !== before[index]?.[0] || inner !== before[index]?.[1]);
  return changed ? Object.fromEntries(after) : value;
}
