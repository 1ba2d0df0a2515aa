/**
 * Checks data against a JSON Schema (draft 7 and 2020-12, as `$schema` says; 2020-12 without it). Only own
 * properties count, patterns are matched in linear time, and no data makes it throw. `format` and the `content...`
 * keywords are annotations, as the specification has them, and are not checked.
 *
 * The library that does the walking would run patterns as native regular expressions, read inherited properties and
 * compare items two by two. So it sees none of it: the data is a copy that inherits nothing, `pattern` is a format
 * whose function asks the pattern engine, `patternProperties` become `properties` for the names in the data, and
 * `uniqueItems` forbids the arrays in the data that repeat an item.
 */
import { describeError } from '../../errors.ts';
import { describeFailure } from './describe-failure.ts';
import { PatternProblem } from './ecma-pattern.ts';
import { ownCopy, ownObject } from './own-copy.ts';
import { loadPatternEngine, type Matches } from './pattern-engine.ts';
import { patternError, planSchema, type SchemaOptions } from './plan-schema.ts';
import { repeatingArrays } from './repeating-arrays.ts';
import { type PatternProperties, patternFormat, type SchemaPlan } from './schema-plan.ts';

type Library = typeof import('@cfworker/json-schema');

/** What a check says. `problem` is one sentence for a model: where, what was expected, what was there. */
export type SchemaVerdict = { readonly ok: true } | { readonly ok: false; readonly problem: string };

/** A schema that is ready to check data. */
export interface SchemaCheck {
  /** Never throws, whatever the data is. */
  check(value: unknown): SchemaVerdict;
}

/**
 * Compiles a schema. Rejects with a ConfigError that names the subject, the place in the schema and what to do.
 * Loads the library, and the pattern engine when the schema has a pattern.
 */
export async function compileSchema(schema: unknown, options: SchemaOptions = {}): Promise<SchemaCheck> {
  return compilePlan(planSchema(schema, options));
}

/** The second half of `compileSchema`, for a schema that was planned before. Rejects with a ConfigError for a bad pattern. */
export async function compilePlan(plan: SchemaPlan): Promise<SchemaCheck> {
  const [library, matchers] = await Promise.all([import('@cfworker/json-schema'), compilePatterns(plan)]);
  return { check: (value) => checkValue(plan, library, matchers, value) };
}

async function compilePatterns(plan: SchemaPlan): Promise<ReadonlyMap<string, Matches>> {
  const matchers = new Map<string, Matches>();
  if (plan.patterns.size === 0) return matchers;
  const compile = await loadPatternEngine();
  for (const [pattern, where] of plan.patterns) {
    try {
      matchers.set(pattern, compile(pattern));
    } catch (error) {
      if (error instanceof PatternProblem) throw patternError(plan.subject, pattern, where, error);
      throw error;
    }
  }
  return matchers;
}

function checkValue(plan: SchemaPlan, library: Library, matchers: ReadonlyMap<string, Matches>, value: unknown): SchemaVerdict {
  try {
    const copy = ownCopy(value);
    if (!copy.ok) return copy;
    if (plan.repeating !== undefined) plan.repeating['enum'] = repeatingArrays(copy.value);
    for (const patterns of plan.patternProperties) nameProperties(patterns, copy.names, matchers);
    return withFormats(library, matchers, () => validate(plan, library, copy.value));
  } catch (error) {
    // The stack is the one limit left: a schema may need many calls for each level of the data.
    if (error instanceof RangeError) return { ok: false, problem: 'nested too deep to be checked; send flatter data' };
    return { ok: false, problem: `cannot be checked: ${describeError(error)}` };
  } finally {
    if (plan.repeating !== undefined) plan.repeating['enum'] = [];
    for (const { node, properties } of plan.patternProperties) node['properties'] = properties;
  }
}

function validate(plan: SchemaPlan, library: Library, value: unknown): SchemaVerdict {
  const run = (shortCircuit: boolean): ReturnType<Library['validate']> =>
    library.validate(value, plan.root, plan.draft, plan.targets, shortCircuit);
  let result: ReturnType<Library['validate']>;
  try {
    result = run(false);
  } catch (error) {
    // More errors than fit into one call: the first will do.
    if (!(error instanceof RangeError)) throw error;
    result = run(true);
  }
  return result.valid ? { ok: true } : { ok: false, problem: describeFailure(result.errors, plan, value) };
}

/** Says for the names that occur in the data what `patternProperties` say for patterns. */
function nameProperties(
  { node, properties, patterns }: PatternProperties,
  names: ReadonlySet<string>,
  matchers: ReadonlyMap<string, Matches>,
): void {
  const named: Record<string, unknown> = Object.assign(ownObject(), properties);
  for (const name of names) {
    const schemas: unknown[] = patterns.filter(([pattern]) => matchers.get(pattern)?.(name)).map(([, schema]) => schema);
    if (schemas.length === 0) continue;
    const own = properties[name];
    named[name] = { allOf: own === undefined ? schemas : [own, ...schemas] };
  }
  node['properties'] = named;
}

/**
 * Runs with the patterns in the library's table of formats. The table is shared by everybody who uses the library,
 * so it is given back as it was; nothing else can run in between.
 */
function withFormats<T>(library: Library, matchers: ReadonlyMap<string, Matches>, run: () => T): T {
  for (const [pattern, matches] of matchers) library.format[patternFormat(pattern)] = matches;
  try {
    return run();
  } finally {
    for (const pattern of matchers.keys()) delete library.format[patternFormat(pattern)];
  }
}
