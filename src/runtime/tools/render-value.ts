/**
 * Turns whatever a tool returned into text for a model, and never throws: JSON where JSON can say it, and a word
 * in brackets where it cannot (a cycle, a function, a getter that throws). Bounded in depth and in the number of
 * values, so that neither a self-made proxy nor a graph of shared references can run away.
 */
import { describeError } from '../errors.ts';
import { errorText } from './error-text.ts';

const MOST_LEVELS = 100;
const MOST_VALUES = 100_000;
const MORE = '[more values left out]';

/** Text of any value: strings as they are, other data as compact JSON, '' for undefined and null. Never throws. */
export function renderValue(value: unknown): string {
  if (typeof value === 'string') return value;
  const plain = plainCopy(value);
  if (plain === undefined || plain === null) return '';
  if (typeof plain === 'string') return plain;
  try {
    return JSON.stringify(plain);
  } catch (error) {
    // More text than one string can hold.
    return `[cannot be shown: ${describeError(error)}]`;
  }
}

/** A copy of any value that holds nothing but what JSON can say; undefined stays undefined. Never throws. */
export function plainCopy(value: unknown): unknown {
  return new PlainCopy().of(value);
}

/** One copy of a value that holds nothing but what JSON can say. */
class PlainCopy {
  readonly #open = new Set<object>();
  #values = 0;

  of(value: unknown): unknown {
    this.#values += 1;
    try {
      return typeof value === 'object' && value !== null ? this.#ofObject(value) : plainPrimitive(value);
    } catch (error) {
      return `[cannot be shown: ${describeError(error)}]`;
    }
  }

  #ofObject(value: object): unknown {
    if (this.#open.has(value)) return '[circular]';
    if (this.#open.size >= MOST_LEVELS) return `[nested deeper than ${MOST_LEVELS} levels]`;
    this.#open.add(value);
    try {
      const special = specialObject(value);
      if (special !== undefined) return special;
      const json = toJson(value);
      if (json !== value) return this.of(json);
      return Array.isArray(value) || value instanceof Map || value instanceof Set ? this.#ofList(value) : this.#ofEntries(value);
    } finally {
      this.#open.delete(value);
    }
  }

  #ofList(values: Iterable<unknown>): unknown[] {
    const list: unknown[] = [];
    for (const value of values) {
      if (this.#values >= MOST_VALUES) {
        list.push(MORE);
        break;
      }
      list.push(this.of(value) ?? null);
    }
    return list;
  }

  #ofEntries(value: object): object {
    const copy: Record<string, unknown> = Object.create(null);
    for (const key of Object.keys(value)) {
      if (this.#values >= MOST_VALUES) {
        copy[MORE] = true;
        break;
      }
      copy[key] = this.of(readProperty(value, key));
    }
    return copy;
  }
}

function toJson(value: object): unknown {
  return 'toJSON' in value && typeof value.toJSON === 'function' ? value.toJSON() : value;
}

function readProperty(value: object, key: string): unknown {
  try {
    return Reflect.get(value, key);
  } catch (error) {
    return `[cannot be read: ${describeError(error)}]`;
  }
}

function plainPrimitive(value: unknown): unknown {
  if (typeof value === 'function') return value.name === '' ? '[function]' : `[function ${value.name}]`;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value);
  return value;
}

/** Text of objects whose own properties say nothing, or too much. */
function specialObject(value: object): unknown {
  if (value instanceof Error) return errorText(value);
  if (value instanceof Promise) return '[promise]';
  if (value instanceof RegExp) return String(value);
  if (value instanceof Date && Number.isNaN(value.getTime())) return '[invalid date]';
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return `[${value.byteLength} bytes of binary data]`;
  return undefined;
}
