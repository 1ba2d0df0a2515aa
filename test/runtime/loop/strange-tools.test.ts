/** Whatever a tool returns, prints, emits or does to its input, its call has one result and the journal stays as it was (case O6, L1). */
import { describe, expect, it } from 'vitest';
import { isDurable } from '../../../src/runtime/schema/event.ts';
import type { JsonValue } from '../../../src/runtime/schema/json.ts';
import { recordingTools, text, toolCall } from '../../../src/runtime/testing/index.ts';
import { defineTool } from '../../../src/runtime/tools/define-tool.ts';
import { only, play } from './play.ts';

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** An object whose `then` is this. */
function thenable(then: (resolve: (value: unknown) => void) => unknown): object {
  return Object.defineProperty({}, 'then', { value: then });
}

function thrower(message: string): () => never {
  return () => {
    throw new Error(message);
  };
}

const THENABLES: readonly (readonly [what: string, value: () => unknown, outcome: string, said: string])[] = [
  ['a proxy that was revoked', revoked, 'error', 'revoked'],
  ['a getter `then` that throws', () => Object.defineProperty({}, 'then', { get: thrower('no then') }), 'error', 'no then'],
  ['a `then` that throws', () => thenable(thrower('then threw')), 'error', 'then threw'],
  ['a `then` that calls twice', () => thenable((resolve) => [resolve('one'), resolve('two')]), 'ok', 'one'],
  ['a `then` that gives a promise', () => thenable((resolve) => resolve(Promise.resolve('inner'))), 'ok', 'inner'],
  ['a `then` that gives a rejection', () => thenable((resolve) => resolve(Promise.reject(new Error('inner no')))), 'error', 'inner no'],
];

describe('a tool', () => {
  it.each(THENABLES)('that returns %s has a result, and the run goes on', async (_what, value, outcome, said) => {
    const tools = recordingTools({ odd: value });
    const { all, result } = await play([toolCall('odd'), text('end')], { tools });
    expect(result.reason).toBe('finished');
    expect(only(all, 'tool_result')).toMatchObject([{ outcome, content: [{ type: 'text', text: expect.stringContaining(said) }] }]);
  });

  it('that changes its input changes neither the journal nor what the model is sent again', async () => {
    const change = (input: { list: string[]; more?: string }) => {
      input.list.push('changed');
      input.more = 'changed';
      return 'ok';
    };
    const tool = defineTool<{ list: string[] }>({ name: 'change', description: 'Changes.', input: { type: 'object' }, execute: change });
    const { all, result, model } = await play([toolCall('change', { list: ['a'] }), text('end')], { agent: { tools: [tool] } });
    for (const everything of [all.filter(isDurable), result, model.requests]) expect(JSON.stringify(everything)).not.toContain('changed');
  });

  it('that emits or prints what is no plain data shows plain data, and later changes of it do not show', async () => {
    const cycle: Record<string, unknown> = { n: 1n };
    cycle['self'] = cycle;
    const list = ['a'];
    const tools = recordingTools({
      odd: (_args, context) => {
        const emitAny = context.emit as (name: unknown, data?: unknown) => void;
        for (const value of [() => 1, cycle, new Date(0), undefined, Number.NaN, list]) emitAny('v', value);
        list.push('later');
        emitAny(5);
        const printAny = context.output as (text: unknown) => void;
        for (const value of [5, undefined, null, { a: 1 }]) printAny(value);
        return 'ok';
      },
    });
    const { all } = await play([toolCall('odd'), text('end')], { tools });
    const data = only(all, 'custom').map((event): JsonValue | undefined => event.data);
    expect(JSON.parse(JSON.stringify(data))).toEqual([
      '[function]',
      { n: '1', self: '[circular]' },
      '1970-01-01T00:00:00.000Z',
      null,
      'NaN',
      ['a'],
      null,
    ]);
    expect(only(all, 'custom').at(-1)?.name).toBe('5');
    expect(
      only(all, 'tool_output')
        .map((event) => event.text)
        .join(''),
    ).toBe('5{"a":1}');
  });

  it('shows no key in the name of what it emits', async () => {
    const secret = 'sk-test-0123456789';
    const tools = recordingTools({ odd: (_args, context) => context.emit(secret, secret) });
    const { all } = await play([toolCall('odd'), text('end')], { tools, secrets: [secret] });
    expect(only(all, 'custom')).toMatchObject([{ name: '[redacted]', data: '[redacted]' }]);
  });
});
