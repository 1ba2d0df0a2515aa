import { describe, expect, it } from 'vitest';
import { choiceFlag, countFlag, dollarsFlag, durationFlag, factorFlag, numberFlag, urlFlag } from '../../../src/cli/flags/flag-values.ts';
import { UsageError } from '../../../src/cli/usage-error.ts';

const read = <T>(parse: (text: string, previous: T | undefined) => T, text: string) => parse(text, undefined);

describe('values of flags', () => {
  it('are read as people write them', () => {
    expect(read(countFlag('--attempts'), '3')).toBe(3);
    expect(read(dollarsFlag('--max-cost'), '0.50')).toBe(0.5);
    expect(read(numberFlag('--temperature', 0, 2), '0')).toBe(0);
    expect(read(factorFlag('--speed'), '0')).toBe(0);
    expect(read(choiceFlag('--stop-on', ['text', 'finish_tool']), 'finish-tool')).toBe('finish_tool');
    expect(read(urlFlag('--base-url'), 'http://127.0.0.1:1/v1')).toBe('http://127.0.0.1:1/v1');
    for (const [text, milliseconds] of Object.entries({ '500ms': 500, '20s': 20_000, '5m': 300_000, '1h': 3_600_000 })) {
      expect(read(durationFlag('--timeout'), text)).toBe(milliseconds);
    }
  });

  it.each([
    [
      '--attempts',
      (text: string) => read(countFlag('--attempts'), text),
      ['0', '-1', '1.5', '', 'many', '0x10', '1e3', ' 1', '9'.repeat(20)],
    ],
    ['--max-cost', (text: string) => read(dollarsFlag('--max-cost'), text), ['0', '-1', '$1', '']],
    ['--temperature', (text: string) => read(numberFlag('--temperature', 0, 2), text), ['2.1', '-0.1', 'hot']],
    ['--timeout', (text: string) => read(durationFlag('--timeout'), text), ['0s', '5', '5 m', '5x', '-5s', '']],
    ['--stop-on', (text: string) => read(choiceFlag('--stop-on', ['text', 'finish_tool']), text), ['finish_tool', 'Text', '', '__proto__']],
    ['--base-url', (text: string) => read(urlFlag('--base-url'), text), ['localhost', 'file:///etc/passwd', '']],
  ] as const)('that %s cannot have are refused by name, value and what was expected', (flag, parse, texts) => {
    for (const text of texts) {
      expect(() => parse(text)).toThrow(UsageError);
      expect(() => parse(text)).toThrow(`${flag} is ${JSON.stringify(text)}; expected `);
    }
  });

  it('are taken once', () => {
    expect(() => countFlag('--attempts')('3', 2)).toThrow('--attempts is given twice');
  });
});
