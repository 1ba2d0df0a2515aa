/**
 * A copy of JSON data in which nothing is inherited: objects that inherit nothing, so that a property is there
 * only when the data has it, be it called `constructor` or `__proto__`. Refuses what is nested too deep for a
 * recursive check, and keeps the property names it met.
 */
import { MOST_LEVELS } from '../../schema/json.ts';

/** Object without anything inherited. The empty prototype, instead of none, keeps it as fast as an ordinary one. */
const OwnObject = function OwnObject() {} as unknown as new () => Record<string, unknown>;
OwnObject.prototype = Object.freeze(Object.create(null));

/** A new object that inherits nothing. */
export function ownObject(): Record<string, unknown> {
  return new OwnObject();
}

/** The copy, or why there is none. */
export type OwnCopy =
  | { readonly ok: true; readonly value: unknown; readonly names: ReadonlySet<string> }
  | { readonly ok: false; readonly problem: string };

/** Copies JSON data. Properties that are undefined are left out, as JSON would. */
export function ownCopy(value: unknown): OwnCopy {
  const names = new Set<string>();
  try {
    return { ok: true, value: copyValue(value, 0, names), names };
  } catch (error) {
    if (error instanceof TooDeep) return { ok: false, problem: `nested deeper than ${MOST_LEVELS} levels; send flatter data` };
    throw error;
  }
}

class TooDeep extends Error {}

function copyValue(value: unknown, level: number, names: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (level >= MOST_LEVELS) throw new TooDeep();
  return Array.isArray(value) ? copyArray(value, level, names) : copyObject(value, level, names);
}

function copyArray(values: readonly unknown[], level: number, names: Set<string>): unknown[] {
  const copy = values.map((value) => copyValue(value, level + 1, names));
  // The library compares by keys alone and would take [] for {}: a key that no data has tells them apart.
  return Object.assign(copy, { '\u0000array': true });
}

function copyObject(value: object, level: number, names: Set<string>): object {
  const copy = ownObject();
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    // The library encodes names as URIs, which a lone surrogate would make it throw at.
    const name = key.replace(/\p{Surrogate}/gu, '\ufffd');
    names.add(name);
    copy[name] = copyValue(item, level + 1, names);
  }
  return copy;
}
