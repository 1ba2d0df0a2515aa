import { describe, expect, it } from 'vitest';
import { createStyle, wantsColour } from '../../../src/cli/terminal/style.ts';

describe('colours', () => {
  it.each([
    ['a terminal', true, true, {}, true],
    ['a pipe', false, true, {}, false],
    ['a terminal with NO_COLOR', true, true, { NO_COLOR: '1' }, false],
    ['a terminal with an empty NO_COLOR', true, true, { NO_COLOR: '' }, true],
    ['a terminal with --no-color', true, false, { FORCE_COLOR: '1' }, false],
    ['a dumb terminal', true, true, { TERM: 'dumb' }, false],
    ['a pipe with FORCE_COLOR', false, true, { FORCE_COLOR: '1' }, true],
    ['a terminal with FORCE_COLOR=0', true, true, { FORCE_COLOR: '0' }, false],
    ['NO_COLOR against FORCE_COLOR', true, true, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
  ])('on %s are as asked for', (_name, isTerminal, allowed, env, expected) => {
    expect(wantsColour({ isTerminal, allowed, env })).toBe(expected);
  });

  it('close what they open, or change nothing', () => {
    expect(createStyle(true).red('no')).toBe('\u001b[31mno\u001b[39m');
    expect(createStyle(false).red('no')).toBe('no');
  });
});
