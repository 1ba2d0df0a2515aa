/**
 * Collects what is wrong with a manifest, so that one attempt shows every mistake, and turns it into one
 * error whose lines read `file:line: tool "name", key: what is wrong and what to do`.
 */
import { LineCounter } from 'yaml';
import { ConfigError } from '../../runtime/errors.ts';

/** Where something stands in the file. */
export interface Place {
  /** Offset of its first character. */
  readonly start: number;
  /** Keys and indices that lead to it from the top. */
  readonly path: readonly (string | number)[];
}

/** More than this many lines help nobody. */
const MOST_SHOWN = 20;
/** Longer paths are cut. */
const MOST_STEPS = 8;

/** The problems of one manifest. */
export class ManifestProblems {
  readonly lines = new LineCounter();
  readonly #file: string;
  readonly #found: { place: Place; text: string }[] = [];
  readonly #toolNames = new Map<number, string>();

  constructor(file: string) {
    this.#file = file;
  }

  /** How many problems were noted so far. */
  get count(): number {
    return this.#found.length;
  }

  /** Notes one problem; `text` says what is wrong and what to do. */
  add(place: Place, text: string): void {
    this.#found.push({ place, text });
  }

  /** Tells the name of the tool at an index, for the messages. */
  nameTool(index: number, name: string): void {
    this.#toolNames.set(index, name);
  }

  /** Line of a place, from 1. */
  lineOf(place: Place): number {
    // What was never parsed has no lines.
    return Math.max(1, this.lines.linePos(place.start).line);
  }

  /** Throws a `ConfigError` (code `bad_manifest`) that lists all problems in the order of the file, if there are any. */
  throwIfAny(): void {
    if (this.#found.length === 0) return;
    const ordered = [...this.#found].sort((left, right) => left.place.start - right.place.start);
    const shown = ordered
      .slice(0, MOST_SHOWN)
      .map(({ place, text }) => `${this.#file}:${this.lineOf(place)}: ${this.#describe(place)}${text}`);
    if (ordered.length > MOST_SHOWN) shown.push(`${this.#file}: and ${ordered.length - MOST_SHOWN} more problems`);
    throw new ConfigError('bad_manifest', [...new Set(shown)].join('\n'));
  }

  #describe({ path }: Place): string {
    const [top, index, ...inside] = path;
    if (top === undefined) return '';
    if (top !== 'tools' || typeof index !== 'number') return `${formatPath(path)}: `;
    const name = this.#toolNames.get(index);
    const tool = name === undefined ? `tool ${index + 1}` : `tool ${JSON.stringify(name)}`;
    return inside.length === 0 ? `${tool}: ` : `${tool}, ${formatPath(inside)}: `;
  }
}

function formatPath(path: readonly (string | number)[]): string {
  const shown = path.slice(0, MOST_STEPS).map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`));
  return shown.join('') + (path.length > MOST_STEPS ? '…' : '');
}
