/** The input of a run: what is none is a `ConfigError` that says so, before anything starts (L1). */
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/runtime/errors.ts';
import { normalizeInput } from '../../src/runtime/input.ts';
import type { RunInput } from '../../src/runtime/start-options.ts';
import { countingIds, fixedClock } from '../../src/runtime/testing/index.ts';

const normalized = (input: unknown) => normalizeInput(input as RunInput, { ids: countingIds(), clock: fixedClock(1) });
const user = { role: 'user', content: 'hi' };
const call = (id: string) => ({ type: 'tool_use', call_id: id, name: 't', arguments: {} });
const result = (id: string) => ({ type: 'tool_result', call_id: id, content: [{ type: 'text', text: 'ok' }], is_error: false });

function thrown(input: unknown): unknown {
  try {
    return normalized(input);
  } catch (error) {
    return error;
  }
}

describe('the input of a run', () => {
  it('is a text, blocks, one user message or a list of messages', () => {
    const said = [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }];
    for (const input of ['hi', [{ type: 'text', text: 'hi' }], user, [user]]) expect(normalized(input)).toMatchObject(said);
  });

  it.each([[undefined], [null], [''], [' \n'], [[]], [[{ type: 'text', text: ' ' }]], [{ role: 'user', content: ' ' }]])(
    'is empty when it is %j',
    (input) => {
      expect(thrown(input)).toMatchObject({ code: 'empty_input' });
    },
  );

  it.each([
    [5],
    [true],
    [{}],
    [[null]],
    [['hi']],
    [[5]],
    [[user, null]],
    [[user, { type: 'text', text: 'x' }]],
    [{ role: 'tool', content: 'x' }],
  ])('is refused with what was expected when it is %j', (input) => {
    expect(thrown(input)).toBeInstanceOf(ConfigError);
    expect(thrown(input)).toMatchObject({ code: 'invalid_input' });
  });

  it('is refused when two calls have one id, in one message or in two', () => {
    const twice = [user, { role: 'assistant', content: [call('a'), call('a')] }, user];
    const again = [user, { role: 'assistant', content: [call('a')] }, user, { role: 'assistant', content: [call('a')] }, user];
    for (const input of [twice, again]) expect(thrown(input)).toMatchObject({ message: expect.stringContaining('repeats the call id a') });
  });

  it('is refused when a result stands anywhere but in a user message', () => {
    const input = [user, { role: 'assistant', content: [call('a')] }, { role: 'assistant', content: [result('a')] }, user];
    expect(thrown(input)).toMatchObject({ code: 'invalid_input', message: expect.stringContaining('Message 3') });
  });
});
