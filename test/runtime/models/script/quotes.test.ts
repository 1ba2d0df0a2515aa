import { describe, expect, it } from 'vitest';
import { ModelError } from '../../../../src/runtime/errors.ts';
import { scriptModel } from '../../../../src/runtime/models/script/script-model.ts';
import type { ScriptStep } from '../../../../src/runtime/models/script/script-schema.ts';
import type { ModelRequest } from '../../../../src/runtime/ports.ts';
import { callOf, message, replyOf, requestOf, toolTurn } from './request-of.ts';

function play(step: ScriptStep, request: ModelRequest) {
  return replyOf(scriptModel({ steps: [step] }).respond(request, callOf()));
}

async function textOf(text: string, request: ModelRequest): Promise<string> {
  const [block] = (await play({ text }, request)).content;
  return block?.type === 'text' ? block.text : '';
}

async function argumentsOf(call: NonNullable<ScriptStep['tool_calls']>[number], request: ModelRequest) {
  const [block] = (await play({ tool_calls: [call] }, request)).content;
  return block?.type === 'tool_use' ? { arguments: block.arguments, arguments_text: block.arguments_text } : undefined;
}

const talk = requestOf({
  messages: [
    message('user', 'find it'),
    ...toolTurn('c1', 'grep', './a.ts:1: first\r\n./a.ts:2: second\n'),
    ...toolTurn('c2', 'read_file', 'say "{{last_user}}"\\ and\tmore'),
    message('user', [
      { type: 'text', text: 'be' },
      { type: 'text', text: 'short' },
    ]),
  ],
});

describe('quotes', () => {
  it.each([
    ['the last result, as it is', '<{{last_result}}>', '<say "{{last_user}}"\\ and\tmore>'],
    ['the last user text, its blocks on lines of their own', '{{last_user}}!', 'be\nshort!'],
    ['the first line of something', '{{last_user.first_line}}', 'be'],
    ['the result of a tool by name', '{{result:grep}}', './a.ts:1: first\r\n./a.ts:2: second\n'],
    ['the result of a call by id, its first line only', '{{result:c1.first_line}}|', './a.ts:1: first|'],
    ['several things', '{{result:c1.first_line}} {{last_user.first_line}}', './a.ts:1: first be'],
  ])('insert %s', async (_what, text, expected) => {
    expect(await textOf(text, talk)).toBe(expected);
  });

  it.each([
    ['a backslash in front', 'write \\{{last_result}}', 'write {{last_result}}'],
    ['braces around anything else', 'style={{ color: "red" }} {{.pattern}} {{}} {{', 'style={{ color: "red" }} {{.pattern}} {{}} {{'],
  ])('leave plain text alone: %s', async (_what, text, expected) => {
    expect(await textOf(text, talk)).toBe(expected);
  });

  it('take the latest result of a tool that was called twice', async () => {
    const messages = [message('user', 'go'), ...toolTurn('c1', 'grep', 'old'), ...toolTurn('c2', 'grep', 'new')];
    expect(await textOf('{{result:grep}} {{result:c1}}', requestOf({ messages }))).toBe('new old');
  });

  it('stand in the texts of arguments, however deep, and keep what is no text', async () => {
    const call = { name: 'write', arguments: { text: '{{last_result}}', list: [1, null, { inner: '<{{last_user}}>' }], on: true } };
    expect((await argumentsOf(call, talk))?.arguments).toEqual({
      text: 'say "{{last_user}}"\\ and\tmore',
      list: [1, null, { inner: '<be\nshort>' }],
      on: true,
    });
  });

  it('are escaped within arguments_text, so that it parses to the very text', async () => {
    const call = { name: 'write', arguments_text: '{"text":"{{last_result}}"}' };
    expect(await argumentsOf(call, talk)).toEqual({ arguments: { text: 'say "{{last_user}}"\\ and\tmore' }, arguments_text: undefined });
  });

  it.each(['{{last_result}}', '{{result:grep}}', '{{result:grep.first_line}}'])(
    'fail the call where there is nothing to quote: %s',
    async (quote) => {
      const answer = textOf(`so ${quote}`, requestOf());
      await expect(answer).rejects.toBeInstanceOf(ModelError);
      await expect(answer).rejects.toMatchObject({ errorClass: 'invalid_request', message: expect.stringContaining(quote) });
    },
  );
});
