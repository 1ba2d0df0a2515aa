import { describe, expect, it } from 'vitest';
import { parseControl } from '../../src/runtime/parse-control.ts';

describe('a control from outside', () => {
  it('is taken when it fits', () => {
    expect(parseControl({ type: 'stop', id: 's1', mode: 'after_step' })).toEqual({
      ok: true,
      control: { type: 'stop', id: 's1', mode: 'after_step' },
    });
  });

  it.each([
    [{ type: 'inject', id: 'i1', message: ' ' }, 'i1', /message.*more than blanks/],
    [{ type: 'stop', mode: 'later' }, undefined, /mode/],
    [{ type: 'stop', id: 7 }, undefined, /id/],
    [{ type: 'modify_config', max_iterations: 0 }, undefined, /max_iterations.*1 or more/],
    [{ type: 'stop', now: true }, undefined, /now/],
    [{ type: 'restart' }, undefined, /type/],
    ['stop', undefined, /not valid/],
    [null, undefined, /not valid/],
  ])('is told what is wrong when it is %j', (input, id, message) => {
    expect(parseControl(input)).toEqual({ ok: false, id, message: expect.stringMatching(message) });
  });
});
