/**
 * Finds the arrays that `uniqueItems` is against. The checking library compares every item with every other one;
 * this gives equal values equal numbers, which takes one walk through the data.
 */

/** The arrays within JSON data, at any depth, that hold two equal items; of equal arrays only one. */
export function repeatingArrays(value: unknown): unknown[][] {
  const walk = new Walk();
  walk.numberOf(value);
  return [...walk.repeating.values()];
}

class Walk {
  readonly repeating = new Map<number, unknown[]>();
  readonly #numbers = new Map<string, number>();

  /** A number that two values share exactly when they are equal. */
  numberOf(value: unknown): number {
    if (Array.isArray(value)) return this.#ofArray(value);
    if (typeof value === 'object' && value !== null) return this.#named(`object ${this.#entries(value).join()}`);
    return this.#named(`${typeof value} ${String(value)}`);
  }

  #ofArray(values: unknown[]): number {
    const items = values.map((value) => this.numberOf(value));
    const number = this.#named(`array ${items.join()}`);
    if (new Set(items).size < items.length) this.repeating.set(number, values);
    return number;
  }

  #entries(value: object): string[] {
    return Object.entries(value)
      .map(([name, item]) => `${JSON.stringify(name)}:${this.numberOf(item)}`)
      .sort();
  }

  #named(key: string): number {
    const number = this.#numbers.get(key) ?? this.#numbers.size;
    this.#numbers.set(key, number);
    return number;
  }
}
