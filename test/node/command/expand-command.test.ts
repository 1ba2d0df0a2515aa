import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Expandable, type Expansion, expandCommand } from '../../../src/node/command/expand-command.ts';
import { parseTemplate } from '../../../src/node/manifest/template.ts';
import type { JsonObject, JsonValue } from '../../../src/runtime/schema/json.ts';

function tool(command: readonly string[], properties: JsonObject = {}, allowFlagValues = false): Expandable {
  const templates = command.map((source) => {
    const result = parseTemplate(source);
    if (!result.ok) throw new Error(result.problem);
    return result.template;
  });
  return { command: templates, parameters: { type: 'object', properties }, allowFlagValues };
}

const expand = (command: readonly string[], args: JsonObject, properties?: JsonObject): Expansion =>
  expandCommand(tool(command, properties), args);
const problemOf = (expansion: Expansion): string =>
  'problem' in expansion ? expansion.problem : `no problem: ${JSON.stringify(expansion.argv)}`;

describe('A value', () => {
  it('arrives as text, whatever it looks like', () => {
    const text = '; rm -rf / && $(id) `id` {{.other}} "\n\'*';

    expect(expand(['grep', '{{.pattern}}', 'in {{.pattern}}', '.'], { pattern: text, other: 'no' })).toEqual({
      argv: ['grep', text, `in ${text}`, '.'],
    });
  });

  it('never changes how many elements there are, nor any other element', () => {
    const anyText = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', ''));
    fc.assert(
      fc.property(anyText, anyText, (first, second) => {
        const command = ['run', '--', '{{.first}}', 'x{{ .second }}y{{.first}}', 'last'];

        expect(expandCommand(tool(command, {}, true), { first, second })).toEqual({
          argv: ['run', '--', first, `x${second}y${first}`, 'last'],
        });
      }),
    );
  });

  it('that is a number, a truth value or an object goes in as JSON', () => {
    const args = { number: 1.5, flag: true, data: { a: [1, null], b: 'x' } };

    expect(expand(['p', '{{.number}}', '{{.flag}}', 'data={{.data}}'], args)).toEqual({
      argv: ['p', '1.5', 'true', 'data={"a":[1,null],"b":"x"}'],
    });
  });

  it('that is a list gives one element for each item, with the text around it', () => {
    const args = { files: ['a b', 'c', 3, { d: 1 }] };

    expect(expand(['p', '{{.files}}', 'end'], args)).toEqual({ argv: ['p', 'a b', 'c', '3', '{"d":1}', 'end'] });
    expect(expand(['p', '--file={{.files}}'], args)).toEqual({ argv: ['p', '--file=a b', '--file=c', '--file=3', '--file={"d":1}'] });
    expect(expand(['p', '{{.files}}', 'end'], { files: [] })).toEqual({ argv: ['p', 'end'] });
  });

  it('that is missing leaves out an element of its own and is empty within a longer one', () => {
    const command = ['p', '{{.path}}', '--in={{.path}}', 'end'];

    expect(expand(command, {})).toEqual({ argv: ['p', '--in=', 'end'] });
    expect(expand(command, { path: null })).toEqual({ argv: ['p', '--in=', 'end'] });
    expect(expand(command, { path: '' })).toEqual({ argv: ['p', '', '--in=', 'end'] });
  });

  it('that is missing is the default of the schema, where there is one', () => {
    const properties = { path: { type: 'string', default: '.' }, depth: { default: 3 } };

    expect(expand(['p', '{{.path}}', 'd={{.depth}}'], {}, properties)).toEqual({ argv: ['p', '.', 'd=3'] });
    expect(expand(['p', '{{.path}}', 'd={{.depth}}'], { path: 'src' }, properties)).toEqual({ argv: ['p', 'src', 'd=3'] });
  });

  it('is never taken from what every object inherits', () => {
    expect(expand(['p', '{{.constructor}}', 'x{{.toString}}'], {})).toEqual({ argv: ['p', 'x'] });
  });
});

describe('A value that looks like an option', () => {
  const allowed: readonly JsonValue[] = [' -x', '\t-x', '\u2010x', '+x', '@file', 'a-b', 5];
  const refused: readonly JsonValue[] = ['-rf', '--output=/x', '-', '--', -5, ['ok', '-rf'], [-1]];

  it.each(refused)('is refused where it would begin an element, and the parameter is named: %j', (value) => {
    expect(problemOf(expand(['p', '--', '{{.target}}'], { target: value }))).toMatch(/^parameter "target": .*"-".*option/);
  });

  it.each(allowed)('is no option and goes through: %j', (value) => {
    expect(expand(['p', '{{.target}}'], { target: value })).toEqual({ argv: ['p', String(value)] });
  });

  it.each(refused)('goes through where the tool allows it: %j', (value) => {
    const texts = (Array.isArray(value) ? value : [value]).map((item) => String(item));

    expect(expandCommand(tool(['p', '{{.target}}'], {}, true), { target: value })).toEqual({ argv: ['p', ...texts] });
  });

  it('is refused as the default of the schema as well', () => {
    expect(problemOf(expand(['p', '{{.mode}}'], {}, { mode: { default: '-x' } }))).toContain('parameter "mode"');
  });

  it('goes through behind text of the manifest', () => {
    expect(expand(['p', '--name={{.v}}', '-{{.v}}'], { v: '-rf' })).toEqual({ argv: ['p', '--name=-rf', '--rf'] });
  });

  it('is refused behind a placeholder that came out empty, and the one that holds it is named', () => {
    expect(problemOf(expand(['p', '{{.a}}{{.b}}'], { a: '', b: '-rf' }))).toContain('parameter "b"');
    expect(problemOf(expand(['p', '{{.a}}{{.b}}'], { b: '-rf' }))).toContain('parameter "b"');
    expect(problemOf(expand(['p', '{{.a}}-{{.b}}'], { a: '', b: 'rf' }))).toContain('parameter "a"');
  });
});

describe('An argument that no system takes', () => {
  it('is refused for a NUL character', () => {
    expect(problemOf(expand(['p', '{{.v}}'], { v: 'a\0b' }))).toMatch(/^parameter "v": a NUL character/);
    expect(problemOf(expand(['p', 'x{{.v}}'], { v: ['a', '\0'] }))).toMatch(/^parameter "v": a NUL character/);
  });

  it('is refused over 128 KiB, with the limit named, and taken below', () => {
    const sized = (bytes: number): Expansion => expand(['p', '{{.v}}'], { v: 'x'.repeat(bytes) });

    expect(sized(127 * 1_024)).toHaveProperty('argv');
    expect(sized(131_071)).toHaveProperty('argv');
    expect(problemOf(sized(131_072))).toMatch(/^parameter "v": .*131072 bytes.*limit.*131071 bytes \(128 KiB\)/);
    expect(problemOf(expand(['p', '{{.v}}'], { v: 'ü'.repeat(65_536) }))).toContain('131072 bytes');
  });

  it('is refused when all together are over 2 MiB, with the limit named', () => {
    const items = Array.from({ length: 30 }, () => 'x'.repeat(100_000));

    expect(problemOf(expand(['p', '{{.v}}'], { v: items }))).toMatch(/limit for all arguments together is 2097152 bytes \(2 MiB\)/);
  });

  it('is refused before two lists multiply into more than anybody can hold', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => index);

    expect(problemOf(expand(['p', '{{.a}}:{{.b}}'], { a: many, b: many }))).toContain('too many elements');
  });
});
