import { describe, expect, it } from 'vitest';
import { findNotPlain } from '../../src/worker/plain-data.ts';

class Account {
  balance = 1;
}

const cyclic: Record<string, unknown> = { name: 'loop' };
cyclic.self = cyclic;

const throwing = Object.defineProperty({}, 'secret', {
  enumerable: true,
  get() {
    throw new Error('a getter ran');
  },
});

const trap = () => {
  throw new Error('a trap ran');
};
const proxy = new Proxy({}, { get: trap, ownKeys: trap, getPrototypeOf: trap, getOwnPropertyDescriptor: trap });

describe('what may cross into a thread', () => {
  it.each([
    ['a function', { retry: () => 1 }, 'config.retry', 'a function'],
    ['a symbol', [Symbol('x')], 'config[0]', 'a symbol'],
    ['a bigint', { n: 10n }, 'config.n', 'a bigint'],
    ['a number that JSON cannot say', { n: Number.NaN }, 'config.n', 'NaN'],
    ['a promise', { p: Promise.resolve() }, 'config.p', 'a promise'],
    ['an error', { e: Object.assign(new TypeError('bad'), { code: 'E1', cause: new Error('why') }) }, 'config.e', 'an error object'],
    ['a map', { m: new Map() }, 'config.m', 'an instance of Map'],
    ['a date', { deep: { d: new Date(0) } }, 'config.deep.d', 'an instance of Date'],
    ['bytes', { b: new Uint8Array(1) }, 'config.b', 'an instance of Uint8Array'],
    ['an instance of a class', { a: new Account() }, 'config.a', 'an instance of Account'],
    ['a cycle', { list: [cyclic] }, 'config.list[0].self', 'a reference back to what contains it'],
    ['a key that is no name', { 'a b': [undefined, trap] }, 'config["a b"][1]', 'a function'],
    ['something kept under a symbol', { [Symbol.for('hidden')]: 1 }, 'config[Symbol(hidden)]', 'kept under a symbol'],
  ])('excludes %s and names its place', (_what, value, path, what) => {
    expect(findNotPlain(value, 'config')).toEqual({ path, what });
  });

  it('excludes getters and proxies without running them', () => {
    expect(findNotPlain({ a: throwing }, 'input')).toEqual({ path: 'input.a.secret', what: 'a getter or setter' });
    expect(findNotPlain({ a: proxy }, 'input')).toEqual({ path: 'input.a', what: 'a proxy' });
  });

  it('excludes what is nested without end, and stands any depth', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(findNotPlain(deep, 'input')?.what).toBe('nested more than 500 levels deep');
  });

  it('includes texts, numbers, booleans, null, undefined, lists, objects and one object in two places', () => {
    const shared = { x: 1 };
    const value = { text: 'a', n: -0.5, yes: true, nothing: null, left_out: undefined, list: [shared, shared], bare: Object.create(null) };
    expect(findNotPlain(value, 'input')).toBeUndefined();
    expect(structuredClone(value)).toEqual(value);
  });
});
