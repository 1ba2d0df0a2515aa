import { describe, expect, it } from 'vitest';
import { joinPrompt } from '../../src/runtime/join-prompt.ts';

describe('the parts of a system prompt', () => {
  it('are one text with a blank line between them, each as it is', () => {
    expect(joinPrompt(['one', ' two\n', 'three'])).toBe('one\n\n two\n\n\nthree');
  });

  it('are left out when they are missing or blank, and are no prompt when none is left', () => {
    expect(joinPrompt([undefined, 'one', '', ' \n'])).toBe('one');
    expect(joinPrompt([undefined, ' \n'])).toBeUndefined();
  });
});
