/**
 * The bench's ruler: cases of one group are measured in turn, round after round, so that whatever else the machine
 * does falls on all of them; the median of the rounds counts. A group prints as one table, with ratios to its first case.
 */

/** Does the work once. What it returns is the sample, in the group's unit; nothing returned: the elapsed time is. */
export type Work = () => number | undefined | Promise<number | undefined> | Promise<void>;

/** How a group is measured. */
export interface MeasureOptions {
  /** Rounds that do not count. */
  readonly warmup?: number;
  /** Rounds that count. */
  readonly rounds?: number;
  /** Unit of the samples; elapsed time is given in `ms` or `µs`. */
  readonly unit?: 'ms' | 'µs' | 'bytes';
  /** How many operations one call of the work does; the sample is divided by it. */
  readonly operations?: number;
}

/** What came out for one case. */
export interface Measurement {
  readonly name: string;
  readonly unit: string;
  readonly median: number;
  readonly best: number;
  readonly worst: number;
}

/** What a group hopes for: a sentence, and whether the measurements keep it. Missing an aim fails nothing; it is printed. */
export interface Aim {
  readonly text: string;
  readonly value: number;
  readonly limit: number;
}

/** Middle value; of an even count the mean of the two in the middle. */
export function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined) throw new Error('median needs at least one sample');
  return (upper + lower) / 2;
}

async function sampleOf(work: Work, unit: string, operations: number): Promise<number> {
  const start = performance.now();
  const returned = await work();
  const elapsedMs = performance.now() - start;
  return (returned ?? (unit === 'µs' ? elapsedMs * 1000 : elapsedMs)) / operations;
}

/** Measures the cases of one group, in turn; results in the order of the cases. */
export async function measure(cases: Readonly<Record<string, Work>>, options: MeasureOptions = {}): Promise<readonly Measurement[]> {
  const { warmup = 2, rounds = 11, unit = 'ms', operations = 1 } = options;
  const samples = new Map<string, number[]>(Object.keys(cases).map((name) => [name, []]));
  for (let round = -warmup; round < rounds; round += 1) {
    for (const [name, work] of Object.entries(cases)) {
      const sample = await sampleOf(work, unit, operations);
      if (round >= 0) samples.get(name)?.push(sample);
    }
  }
  return [...samples].map(([name, values]) => ({
    name,
    unit,
    median: median(values),
    best: Math.min(...values),
    worst: Math.max(...values),
  }));
}

/** The median of a case by its name; throws when there is no such case. */
export function medianOf(measurements: readonly Measurement[], name: string): number {
  const found = measurements.find((measurement) => measurement.name === name);
  if (found === undefined) throw new Error(`nothing was measured under the name '${name}'`);
  return found.median;
}

/** Prints a group as a table, ratios to its first case, and below it each aim with what was reached. */
export function printGroup(title: string, measurements: readonly Measurement[], aims: readonly Aim[] = []): void {
  const width = Math.max(...measurements.map(({ name }) => name.length));
  const first = measurements[0]?.median ?? Number.NaN;
  console.log(`\n${title}`);
  console.log(`  ${'case'.padEnd(width)}  ${'median'.padStart(14)}  ${'best'.padStart(10)}  ${'worst'.padStart(10)}  ratio`);
  for (const { name, unit, median: middle, best, worst } of measurements) {
    const numbers = `${`${round(middle)} ${unit}`.padStart(14)}  ${round(best).padStart(10)}  ${round(worst).padStart(10)}`;
    console.log(`  ${name.padEnd(width)}  ${numbers}  ${round(middle / first)}`);
  }
  printAims(aims);
}

/** Prints aims with what was reached. */
export function printAims(aims: readonly Aim[]): void {
  for (const { text, value, limit } of aims) {
    console.log(`  ${value <= limit ? 'kept' : 'MISSED'}: ${text}: ${round(value)} (aim: at most ${limit})`);
  }
}

function round(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2);
}
