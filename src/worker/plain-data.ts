/**
 * What may cross into a thread: plain data. A structured clone would refuse some of the rest, quietly change
 * some (a class instance loses its methods, an error its code) and run getters on the way, so everything else
 * is refused before it is sent, and named by its path.
 */
import { types } from 'node:util';

/** A value that cannot cross, where it stands and what it is. */
export interface NotPlain {
  /** As one would write it in code: `input[0].content[1].data`. */
  readonly path: string;
  /** What it is, fit to stand behind "is": `a function`. */
  readonly what: string;
}

/** Nothing that is written by hand or read from a file is deeper; a walk without an end would exhaust the stack. */
const DEEPEST = 500;

/**
 * The first value below `value` that is no plain data, or undefined when all of it is: texts, finite numbers, booleans,
 * null, undefined, lists and plain objects. Runs none of the caller's code: no getter, no proxy trap, no `toJSON`.
 */
export function findNotPlain(value: unknown, path: string): NotPlain | undefined {
  return walk(value, path, []);
}

function walk(value: unknown, path: string, ancestors: readonly object[]): NotPlain | undefined {
  if (typeof value !== 'object' || value === null) return primitive(value, path);
  // First of all: every other look at a proxy runs its traps.
  if (types.isProxy(value)) return { path, what: 'a proxy' };
  if (ancestors.includes(value)) return { path, what: 'a reference back to what contains it' };
  if (ancestors.length >= DEEPEST) return { path, what: `nested more than ${DEEPEST} levels deep` };
  const inside = [...ancestors, value];
  if (Array.isArray(value)) return first(value, (item, index) => walk(item, `${path}[${index}]`, inside));
  const what = classOf(value);
  if (what !== undefined) return { path, what };
  return properties(value, path, inside);
}

function primitive(value: unknown, path: string): NotPlain | undefined {
  switch (typeof value) {
    case 'function':
      return { path, what: 'a function' };
    case 'symbol':
      return { path, what: 'a symbol' };
    case 'bigint':
      return { path, what: 'a bigint' };
    case 'number':
      return Number.isFinite(value) ? undefined : { path, what: String(value) };
    default:
      return undefined;
  }
}

function properties(value: object, path: string, inside: readonly object[]): NotPlain | undefined {
  return first(Reflect.ownKeys(value), (key) => {
    const place = typeof key === 'symbol' ? `${path}[${String(key)}]` : propertyPath(path, key);
    if (typeof key === 'symbol') return { path: place, what: 'kept under a symbol' };
    const property = Reflect.getOwnPropertyDescriptor(value, key);
    if (property?.get !== undefined || property?.set !== undefined) return { path: place, what: 'a getter or setter' };
    return walk(property?.value, place, inside);
  });
}

/** What an object is when it is not a plain one. */
function classOf(value: object): string | undefined {
  const prototype = Reflect.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return undefined;
  if (types.isPromise(value)) return 'a promise';
  if (types.isNativeError(value)) return 'an error object';
  if (types.isProxy(prototype)) return 'an instance of a proxy';
  // An object made in another realm (a vm context, a test runner's sandbox) has an Object.prototype of its own.
  if (Reflect.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'hasOwnProperty')) return undefined;
  const name = ownValue(ownValue(prototype, 'constructor'), 'name');
  return typeof name === 'string' && name !== '' ? `an instance of ${name}` : 'an instance of a class';
}

/** A property's value, unless it takes a getter to get it. */
function ownValue(holder: unknown, key: string): unknown {
  const isObject = typeof holder === 'function' || (typeof holder === 'object' && holder !== null);
  return isObject ? Reflect.getOwnPropertyDescriptor(holder, key)?.value : undefined;
}

function propertyPath(path: string, key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}

function first<T>(items: readonly T[], find: (item: T, index: number) => NotPlain | undefined): NotPlain | undefined {
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}
