import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppendOnlyList, AppendOnlyMap } from '../../../src/runtime/state/append-only.ts';

describe('an append-only list', () => {
  it('keeps every version what it was, also when two versions grow from one', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), fc.integer())), (steps) => {
        const versions = [{ list: AppendOnlyList.of<number>(), model: [] as number[] }];
        for (const [pick, value] of steps) {
          const from = versions[pick % versions.length];
          if (from !== undefined) versions.push({ list: from.list.append(value), model: [...from.model, value] });
        }
        for (const { list, model } of versions) {
          expect(list.slice()).toEqual(model);
          expect(list.length).toBe(model.length);
          expect(list.at(-1)).toBe(model.at(-1));
          expect(list.at(model.length)).toBeUndefined();
        }
      }),
    );
  });
});

describe('an append-only map', () => {
  it('keeps every version what it was, also when two versions grow from one', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor'), fc.integer())), (steps) => {
        const versions = [{ map: AppendOnlyMap.empty<number>(), model: new Map<string, number>() }];
        for (const [pick, key, value] of steps) {
          const from = versions[pick % versions.length];
          if (from === undefined) continue;
          versions.push({ map: from.map.set(key, value), model: from.model.has(key) ? from.model : new Map(from.model).set(key, value) });
        }
        for (const { map, model } of versions) {
          expect(map.size).toBe(model.size);
          for (const key of ['a', 'b', 'c', '__proto__', 'constructor', 'x']) {
            expect(map.get(key)).toBe(model.get(key));
            expect(map.has(key)).toBe(model.has(key));
          }
        }
      }),
    );
  });
});
