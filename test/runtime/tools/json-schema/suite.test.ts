/**
 * The official JSON Schema Test Suite, its required part: everything passes but what is listed here with its reason.
 * A test that begins to fail and one that begins to pass both break this, so the list stays true.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../../src/runtime/errors.ts';
import type { JsonObject, JsonValue } from '../../../../src/runtime/schema/json.ts';
import { compileSchema } from '../../../../src/runtime/tools/json-schema/check-schema.ts';

interface SuiteGroup {
  readonly schema: JsonValue;
  readonly tests: readonly { readonly data: JsonValue; readonly valid: boolean }[];
}

const shared = process.env['STEERLOOP_SHARED'];
const suite = shared === undefined ? undefined : join(shared, 'json-schema-tests');
const missing = suite === undefined || !existsSync(suite);
if (missing) console.warn('The JSON Schema suite is skipped: set STEERLOOP_SHARED to the folder that holds json-schema-tests.');

const REMOTE_BASE = 'http://localhost:1234/';
const METASCHEMA = 'the draft itself is not shipped, and a reference to it is refused like every other to the outside';
const DYNAMIC = '$dynamicRef is read as a plain reference: no schema extends another from outside here';
const VOCABULARY = 'dialects without the validation vocabulary are not told apart';
const LIBRARY_IF = 'the library keeps what a failed "if" has evaluated';

/** Tests that fail, as `file group.test`, both counted from 0. */
const KNOWN: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  draft7: {
    [METASCHEMA]: ['definitions.json 0.0', 'definitions.json 0.1', 'ref.json 7.0', 'ref.json 7.1'],
  },
  'draft2020-12': {
    [METASCHEMA]: ['defs.json 0.0', 'defs.json 0.1', 'ref.json 6.0', 'ref.json 6.1'],
    [DYNAMIC]: [
      ...['3.1', '5.1', '9.1', '11.1', '11.2', '12.0', '12.2', '13.0', '14.1', '15.1', '16.1', '20.1'].map((id) => `dynamicRef.json ${id}`),
      'unevaluatedItems.json 18.0',
      'unevaluatedProperties.json 21.0',
    ],
    [LIBRARY_IF]: ['unevaluatedItems.json 27.1'],
    [VOCABULARY]: ['vocabulary.json 0.2'],
  },
};

const DRAFTS = [
  {
    draft: 'draft7',
    dialect: 'http://json-schema.org/draft-07/schema#',
    mostPercent: 1,
    atLeast: 900,
    foreign: /^(?!draft7\/)(draft|v1)/u,
  },
  { draft: 'draft2020-12', dialect: undefined, mostPercent: 4, atLeast: 1200, foreign: /^(?!draft2020-12\/)(draft|v1)/u },
];

function readJson(path: string): JsonValue {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function readRemotes(root: string, foreign: RegExp): Record<string, JsonValue> {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.json') && !foreign.test(path));
  return Object.fromEntries(paths.map((path) => [REMOTE_BASE + path, readJson(join(root, path))]));
}

function inDialect(schema: JsonValue, dialect: string | undefined): JsonValue {
  const isPlain = typeof schema === 'object' && schema !== null && !Array.isArray(schema) && !('$schema' in schema);
  return isPlain && dialect !== undefined ? { ...(schema as JsonObject), $schema: dialect } : schema;
}

async function failuresOfGroup(group: SuiteGroup, dialect: string | undefined, documents: Record<string, JsonValue>): Promise<number[]> {
  const all = [...group.tests.keys()];
  let verdicts: boolean[];
  try {
    const { check } = await compileSchema(inDialect(group.schema, dialect), { documents });
    verdicts = group.tests.map(({ data }) => {
      const verdict = check(data);
      // An answer for the wrong reason is no pass.
      if (!verdict.ok) expect(verdict.problem).not.toMatch(/cannot be checked|nested too deep/u);
      return verdict.ok;
    });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return all;
  }
  return all.filter((index) => verdicts[index] !== group.tests[index]?.valid);
}

describe.each(DRAFTS)('the JSON Schema suite for $draft', ({ draft, dialect, mostPercent, atLeast, foreign }) => {
  it.skipIf(missing)('passes but for the listed tests (skipped without STEERLOOP_SHARED)', async () => {
    const root = join(suite ?? '', 'tests', draft);
    const documents = readRemotes(join(suite ?? '', 'remotes'), foreign);
    const failed: string[] = [];
    let count = 0;
    for (const file of readdirSync(root).filter((name) => name.endsWith('.json'))) {
      const groups = readJson(join(root, file)) as unknown as SuiteGroup[];
      for (const [index, group] of groups.entries()) {
        count += group.tests.length;
        for (const test of await failuresOfGroup(group, dialect, documents)) failed.push(`${file} ${index}.${test}`);
      }
    }

    expect(failed.sort()).toEqual(
      Object.values(KNOWN[draft] ?? {})
        .flat()
        .sort(),
    );
    expect(count).toBeGreaterThan(atLeast);
    expect((failed.length / count) * 100).toBeLessThan(mostPercent);
  });
});
