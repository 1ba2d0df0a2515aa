import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { Validator } from '@cfworker/json-schema';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseScript } from '../../../../src/runtime/models/script/parse-script.ts';
import { scriptJsonSchema } from '../../../../src/runtime/models/script/script-json-schema.ts';
import { isJsonObject, type JsonObject } from '../../../../src/runtime/schema/json.ts';
import { FINISH_TOOL_NAME } from '../../../../src/runtime/stop-rule.ts';

const run = promisify(execFile);
const root = new URL('../../../../', import.meta.url);
const demo = await readFile(new URL('examples/demo.script.json', root), 'utf8');

/** Names of all properties in a JSON Schema. */
function keysOf(schema: JsonObject): string[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const names = keyword === 'properties' && isJsonObject(value) ? Object.keys(value) : [];
    return isJsonObject(value) ? [...names, ...keysOf(value)] : names;
  });
}

describe('the JSON Schema of scripts', () => {
  it('is the one that lies in examples/script.schema.json', async () => {
    const file = await readFile(new URL('examples/script.schema.json', root), 'utf8');
    expect(JSON.parse(file), 'write the output of scriptJsonSchema() to examples/script.schema.json').toEqual(await scriptJsonSchema());
  });

  it('describes every key of a step', async () => {
    const schema = await scriptJsonSchema();
    const described = JSON.stringify(schema).match(/"description"/g) ?? [];
    expect(described.length).toBeGreaterThanOrEqual(35);
    expect(schema).toMatchObject({ properties: { steps: { items: { additionalProperties: false } } }, required: ['steps'] });
  });

  it('accepts the demo and refuses a script with a misspelt key', async () => {
    const validator = new Validator(await scriptJsonSchema(), '7');
    expect(validator.validate(JSON.parse(demo)).valid).toBe(true);
    expect(validator.validate({ steps: [{ txt: 'x' }] }).valid).toBe(false);
  });
});

describe('the demo', () => {
  it('is a valid script whose answer quotes the real result', () => {
    const script = parseScript(demo, { path: 'examples/demo.script.json' });
    expect(script.steps.at(-1)?.text).toContain('{{last_result}}');
  });

  it('searches with a real grep that finds exactly one line of this repository', async () => {
    const manifest = parse(await readFile(new URL('examples/demo.tools.yaml', root), 'utf8'));
    const call = parseScript(demo, { path: 'demo' }).steps[0]?.tool_calls?.[0];
    const [program, ...args] = manifest.tools[0].command.map((part: string) =>
      part.replace('{{.pattern}}', String(call?.arguments?.['pattern'])),
    );
    const { stdout } = await run(program, args, { cwd: root });
    expect(stdout).toMatch(new RegExp(`^\\./src/runtime/stop-rule\\.ts:\\d+:.*= '${FINISH_TOOL_NAME}';\\n$`));
  });
});

describe('docs/scripts.md', () => {
  it('speaks of every key, and its example is a valid script', async () => {
    const page = await readFile(new URL('docs/scripts.md', root), 'utf8');
    const keys = keysOf(await scriptJsonSchema());
    expect(keys).toEqual(expect.arrayContaining(['text', 'retry_after_ms', 'tools_include', 'cache_write_tokens', '$schema']));
    expect(keys.filter((key) => !page.split(/[^\w$]+/).includes(key))).toEqual([]);
    const example = /```json\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
    expect(parseScript(example, { path: 'docs/scripts.md' }).steps).toHaveLength(2);
  });
});
