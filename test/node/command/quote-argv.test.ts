import { describe, expect, it } from 'vitest';
import { quoteArgv } from '../../../src/node/command/quote-argv.ts';
import { start } from './command-rig.ts';

describe('A quoted argv', () => {
  it('leaves plain words as they are and quotes the rest', () => {
    expect(quoteArgv(['grep', '-rn', '--', 'a b', "it's", '', '$HOME', './x'])).toBe(`grep -rn -- 'a b' 'it'\\''s' '' '$HOME' ./x`);
  });

  it('shows control characters and text direction marks as escapes, on one line', () => {
    expect(quoteArgv(['echo', 'a\nb\u001b[2J\u202e\u0007'])).toBe(`echo $'a\\nb\\x1b[2J\\u202e\\x07'`);
  });

  it('means to a shell exactly what it shows', async () => {
    const args = ['a b', "it's", '', '$HOME `id` $(id)', 'tab\tand\nline', 'back\\slash', "'\n'", '\u{1f642}\u0001', '!x', '~', '{a,b}'];

    const { output } = await start(['bash', '-c', quoteArgv(['printf', '%s|', ...args])]).run;

    expect(output.text).toBe(args.map((arg) => `${arg}|`).join(''));
  });
});
