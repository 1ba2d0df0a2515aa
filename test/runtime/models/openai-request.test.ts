/** Messages, tools and parameters as a Chat Completions server reads them. */
import { describe, expect, it } from 'vitest';
import { type OpenAiRequestOptions, openAiBody } from '../../../src/runtime/models/openai-request.ts';
import type { ModelRequest } from '../../../src/runtime/ports.ts';
import type { Block } from '../../../src/runtime/schema/message.ts';
import { message, toolDefinition, user } from '../../support/model-calls.ts';

const OPTIONS: OpenAiRequestOptions = {
  model: 'm',
  provider: 'openai',
  maxTokensField: 'max_completion_tokens',
  acceptedCallId: /^.{1,40}$/s,
};

function body(request: Partial<ModelRequest>, options: Partial<OpenAiRequestOptions> = {}) {
  return openAiBody({ tools: [], messages: [user('go')], params: {}, ...request }, { ...OPTIONS, ...options });
}

function call(id: string, more: Partial<Extract<Block, { type: 'tool_use' }>> = {}): Block {
  return { type: 'tool_use', call_id: id, name: 'echo', arguments: {}, ...more };
}

function result(
  id: string,
  content: Extract<Block, { type: 'tool_result' }>['content'] = [{ type: 'text', text: 'done' }],
  isError = false,
): Block {
  return { type: 'tool_result', call_id: id, content, is_error: isError };
}

const PNG: Extract<Block, { type: 'image' }> = { type: 'image', media_type: 'image/png', data: 'AAAA' };

describe('a conversation in the words of Chat Completions', () => {
  it('has one message for each result, in call order, before what else the user said', () => {
    const messages = [
      user('go'),
      message('assistant', [{ type: 'text', text: 'ok' }, call('a'), call('b')]),
      message('user', [result('a'), result('b', [])]),
      user('hurry'),
    ];

    expect(body({ system: 'Be brief.', messages }).messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        content: 'ok',
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'echo', arguments: '{}' } },
          { id: 'b', type: 'function', function: { name: 'echo', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: 'done' },
      { role: 'tool', tool_call_id: 'b', content: '(no output)' },
      { role: 'user', content: 'hurry' },
    ]);
  });

  it('joins user messages in a row, and system messages with the system prompt', () => {
    const messages = [message('system', [{ type: 'text', text: 'Speak French.' }]), user('a'), user(' '), user('b')];

    expect(body({ system: 'Be brief.', messages }).messages).toEqual([
      { role: 'system', content: 'Be brief.\n\nSpeak French.' },
      { role: 'user', content: 'a\n\nb' },
    ]);
  });

  it('has null for content only with calls, and no assistant message without either', () => {
    const messages = [
      user('a'),
      message('assistant', [{ type: 'text', text: ' \n' }]),
      message('assistant', [{ type: 'text', text: '' }, call('x')]),
      message('user', [result('x')]),
    ];

    expect(body({ messages }).messages).toMatchObject([{ role: 'user' }, { role: 'assistant', content: null }, { role: 'tool' }]);
  });

  it('sends empty arguments where the text of the model did not parse', () => {
    const messages = [user('a'), message('assistant', [call('x', { arguments_text: '{p:1,}' })]), message('user', [result('x')])];

    expect(body({ messages }).messages[1]).toMatchObject({ tool_calls: [{ function: { arguments: '{}' } }] });
  });

  it('says in words that a call failed, once', () => {
    const messages = [
      user('a'),
      message('assistant', [call('x'), call('y')]),
      message('user', [
        result('x', [{ type: 'text', text: 'no such file' }], true),
        result('y', [{ type: 'text', text: 'Error: exit code 3' }], true),
      ]),
    ];

    expect(body({ messages }).messages.slice(2)).toMatchObject([{ content: 'Error: no such file' }, { content: 'Error: exit code 3' }]);
  });

  it('shows pictures of the user in place, and pictures of results behind all results, by the name of the call', () => {
    const messages = [
      message('user', [{ type: 'text', text: 'look' }, PNG, { type: 'image', url: 'https://example.com/a.png' }]),
      message('assistant', [call('x', { name: 'screenshot' }), call('y')]),
      message('user', [result('x', [PNG]), result('y')]),
      user('and?'),
    ];

    const sent = body({ messages }).messages;

    const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    expect(sent[0]?.content).toEqual([
      { type: 'text', text: 'look' },
      picture,
      { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
    ]);
    expect(sent.slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'x', content: '[1 image(s), shown in the next user message]' },
      { role: 'tool', tool_call_id: 'y', content: 'done' },
      {
        role: 'user',
        content: [{ type: 'text', text: 'From the result of screenshot (call x):' }, picture, { type: 'text', text: 'and?' }],
      },
    ]);
  });

  it('returns reasoning and own data with calls to the provider that sent them, and to no other', () => {
    const thought: Block = { type: 'thinking', text: 'hm', provider: 'openai' };
    const signed = call('x', { provider: 'openai', provider_data: { extra_content: { google: { thought_signature: 's' } } } });
    const messages = [
      user('a'),
      message('assistant', [thought, signed]),
      message('user', [result('x')]),
      message('assistant', [thought, { type: 'text', text: 'b' }]),
      user('c'),
    ];

    const own = body({ messages }).messages;
    expect(own[1]).toMatchObject({ reasoning_content: 'hm', tool_calls: [{ extra_content: { google: { thought_signature: 's' } } }] });
    expect(own[3]).toEqual({ role: 'assistant', content: 'b' });
    const foreign = JSON.stringify(body({ messages }, { provider: 'openai-compatible' }));
    expect(foreign).not.toMatch(/reasoning_content|extra_content/);
  });

  it('keeps ids that the server made, and shortens those that it would refuse', () => {
    const long = `toolu_${'x'.repeat(60)}`;
    const messages = [
      user('a'),
      message('assistant', [call('functions.echo:0'), call(long)]),
      message('user', [result('functions.echo:0'), result(long)]),
    ];

    const [, assistant, first, second] = body({ messages }).messages;
    const ids = assistant?.role === 'assistant' ? assistant.tool_calls?.map(({ id }) => id) : undefined;
    expect(ids?.[0]).toBe('functions.echo:0');
    expect(ids?.[1]?.length).toBeLessThanOrEqual(40);
    expect([first, second]).toMatchObject(ids?.map((tool_call_id) => ({ tool_call_id })) ?? []);
  });

  it('always says something', () => {
    expect(body({ messages: [user(' ')] }).messages).toEqual([{ role: 'user', content: '(no text)' }]);
  });
});

describe('parameters in the words of Chat Completions', () => {
  const tools = [toolDefinition('echo')];

  it('are only sent where they are set', () => {
    expect(body({})).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'go' }],
      stream_options: { include_usage: true },
      stream: true,
    });
  });

  it('name the output limit as the server does, and a thinking level as an effort, but for off', () => {
    const params = { max_output_tokens: 50, temperature: 0, thinking: 'high' } as const;

    expect(body({ params })).toMatchObject({ max_completion_tokens: 50, temperature: 0, reasoning_effort: 'high' });
    expect(body({ params }, { maxTokensField: 'max_tokens' })).toMatchObject({ max_tokens: 50 });
    expect(body({ params: { thinking: 'off' } })).not.toHaveProperty('reasoning_effort');
  });

  it.each([
    ['auto', 'auto'],
    ['none', 'none'],
    ['required', 'required'],
    [{ name: 'echo' }, { type: 'function', function: { name: 'echo' } }],
  ] as const)('say the tool choice %j', (choice, expected) => {
    expect(body({ tools, params: { tool_choice: choice } }).tool_choice).toEqual(expected);
    expect(body({ params: { tool_choice: choice } })).not.toHaveProperty('tool_choice');
  });

  it('describe the tools', () => {
    expect(body({ tools }).tools).toEqual([
      {
        type: 'function',
        function: { name: 'echo', description: 'Does echo.', parameters: { type: 'object', properties: { v: { type: 'string' } } } },
      },
    ]);
  });

  it('are overruled by further fields of the caller, but the reply is always streamed', () => {
    expect(body({ params: { temperature: 1, extra_body: { temperature: 0.2, seed: 5, stream: false } } })).toMatchObject({
      temperature: 0.2,
      seed: 5,
      stream: true,
    });
  });
});
