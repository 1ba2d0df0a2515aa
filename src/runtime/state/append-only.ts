/**
 * A list and a map that only grow, cheap to add to and safe to keep an old version of: every version
 * shares one buffer and knows how much of it is its own. Adding to the newest version costs O(1);
 * adding to an older one copies. This is what lets the fold share structure (L8) without a tree.
 */

/** A list of which every version stays what it was. */
export class AppendOnlyList<T> {
  readonly length: number;
  readonly #buffer: T[];

  private constructor(buffer: T[], length: number) {
    this.#buffer = buffer;
    this.length = length;
  }

  /** A list of these items. */
  static of<T>(items: readonly T[] = []): AppendOnlyList<T> {
    return new AppendOnlyList([...items], items.length);
  }

  /** The item at an index, or undefined; negative counts from the end. */
  at(index: number): T | undefined {
    const place = index < 0 ? this.length + index : index;
    return place < this.length ? this.#buffer[place] : undefined;
  }

  /** A new version with the items added. */
  append(...items: readonly T[]): AppendOnlyList<T> {
    const buffer = this.#buffer.length === this.length ? this.#buffer : this.#buffer.slice(0, this.length);
    for (const item of items) buffer.push(item);
    return new AppendOnlyList(buffer, buffer.length);
  }

  /** The items from `start` (inclusive) to `end` (exclusive, default all) as an array of the caller's own. */
  slice(start = 0, end = this.length): T[] {
    return this.#buffer.slice(start, Math.min(end, this.length));
  }
}

/** A map from ids to values of which every version stays what it was; a key keeps its first value. */
export class AppendOnlyMap<V> {
  readonly size: number;
  readonly #entries: Map<string, { readonly place: number; readonly value: V }>;

  private constructor(entries: Map<string, { place: number; value: V }>, size: number) {
    this.#entries = entries;
    this.size = size;
  }

  /** An empty map. */
  static empty<V>(): AppendOnlyMap<V> {
    return new AppendOnlyMap(new Map(), 0);
  }

  /** The value of a key in this version, or undefined. */
  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && entry.place < this.size ? entry.value : undefined;
  }

  /** Whether this version holds the key. */
  has(key: string): boolean {
    const entry = this.#entries.get(key);
    return entry !== undefined && entry.place < this.size;
  }

  /** A new version with the key added; the same version when it is there already. */
  set(key: string, value: V): AppendOnlyMap<V> {
    if (this.has(key)) return this;
    const entries = this.#entries.size === this.size ? this.#entries : this.#copy();
    entries.set(key, { place: this.size, value });
    return new AppendOnlyMap(entries, this.size + 1);
  }

  #copy(): Map<string, { place: number; value: V }> {
    const copy = new Map<string, { place: number; value: V }>();
    for (const [key, entry] of this.#entries) if (entry.place < this.size) copy.set(key, entry);
    return copy;
  }
}
