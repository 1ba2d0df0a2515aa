import { describe, expect, it } from 'vitest';
import { badArgumentsText, brokenArgumentsText, unknownToolText } from '../../../src/runtime/tools/call-problems.ts';

const definition = {
  name: 'need',
  description: 'Needs p.',
  input_schema: { type: 'object', properties: { p: { type: 'string' } }, required: ['p'] },
  effect: 'write',
  interruptible: false,
} as const;
const NEED = { ...definition, input_schema: structuredClone(definition.input_schema) as never };

describe('a call of a tool that does not exist', () => {
  it('is told so, with the names of the real tools', () => {
    expect(unknownToolText('add', ['echo', 'need'])).toBe(
      'The tool "add" does not exist, and nothing was run. The tools that exist: echo, need.',
    );
    expect(unknownToolText('add', [])).toContain('There are no tools here');
  });

  it('is not corrected when only the case differs, but gets a hint', () => {
    expect(unknownToolText('ECHO', ['echo'])).toContain(
      '"ECHO" does not exist, and nothing was run. Upper and lower case count: did you mean echo?',
    );
  });

  it('stays short and readable whatever the name and the number of tools', () => {
    const text = unknownToolText(
      `\u001b[31m${'x'.repeat(10_000)}`,
      Array.from({ length: 5_000 }, (_, index) => `tool_${index}`),
    );

    expect(text.length).toBeLessThan(1_500);
    expect(text).toContain('and 4900 more');
    expect(text).not.toContain('\u001b');
  });
});

describe('a call whose arguments are broken', () => {
  it('is told the tool, the position and the schema', () => {
    const text = brokenArgumentsText(NEED, '{p:1,}');

    expect(text).toContain('The call of need was not run: its arguments are not valid JSON at position 1');
    expect(text).toContain('expected a property name in double quotes or "}", found "p:1,}".');
    expect(text).toContain(JSON.stringify(definition.input_schema));
  });

  it('is told where they end too early', () => {
    expect(brokenArgumentsText(NEED, '{"p":"x')).toContain('they end at position 7, expected a closing double quote.');
    expect(brokenArgumentsText(NEED, '')).toContain('they end at position 0, expected a value.');
  });

  it('is told when they are JSON but no object', () => {
    expect(brokenArgumentsText(NEED, '["p"]')).toContain('its arguments are not a JSON object. Send one JSON object');
  });

  it('quotes little of a long text, and of a long schema', () => {
    const long = { ...NEED, input_schema: { type: 'object', description: 'd'.repeat(100_000) } };

    expect(brokenArgumentsText(long, `{${'x'.repeat(100_000)}`).length).toBeLessThan(5_000);
  });
});

describe('a call whose arguments do not fit', () => {
  it('is told what the check found', () => {
    expect(badArgumentsText(NEED, 'missing required property "p"')).toBe(
      'The call of need was not run: its arguments do not fit the schema: missing required property "p". Correct them and call again.',
    );
  });
});
