/** Messages, tools and parameters in Anthropic's words. */
import { describe, expect, it } from 'vitest';
import { type AnthropicRequestOptions, anthropicBody } from '../../../src/runtime/models/anthropic-request.ts';
import { thinkingStyleOf } from '../../../src/runtime/models/anthropic-thinking.ts';
import type { ModelRequest } from '../../../src/runtime/ports.ts';
import type { Block } from '../../../src/runtime/schema/message.ts';
import { message, toolDefinition, user } from '../../support/model-calls.ts';

const OPTIONS: AnthropicRequestOptions = { model: 'claude-test', maxTokens: 8_192, thinkingStyle: 'adaptive', promptCaching: false };

function body(request: Partial<ModelRequest>, options: Partial<AnthropicRequestOptions> = {}) {
  return anthropicBody({ tools: [], messages: [user('go')], params: {}, ...request }, { ...OPTIONS, ...options });
}

function call(id: string, name = 'echo'): Block {
  return { type: 'tool_use', call_id: id, name, arguments: {} };
}

function result(
  id: string,
  content: Extract<Block, { type: 'tool_result' }>['content'] = [{ type: 'text', text: 'done' }],
  isError = false,
): Block {
  return { type: 'tool_result', call_id: id, content, is_error: isError };
}

const SEALED: Block = { type: 'thinking', text: 'hm', signature: 'c2ln', provider: 'anthropic' };

describe('a conversation in Anthropic’s words', () => {
  it('puts the results of calls first where user messages stand in a row, and keeps each text a block of its own', () => {
    const messages = [
      user('go'),
      message('assistant', [call('a'), call('b')]),
      message('user', [result('a'), result('b', [], true)]),
      user('by the way'),
      user('hurry'),
    ];

    expect(body({ messages }).messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'go' }] },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'a', name: 'echo', input: {} },
          { type: 'tool_use', id: 'b', name: 'echo', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'done' }] },
          { type: 'tool_result', tool_use_id: 'b', content: [{ type: 'text', text: '(no output)' }], is_error: true },
          { type: 'text', text: 'by the way' },
          { type: 'text', text: 'hurry' },
        ],
      },
    ]);
  });

  it('moves system messages behind the system prompt and leaves blank ones out', () => {
    const messages = [
      message('system', [
        { type: 'text', text: 'Speak French.' },
        { type: 'text', text: ' ' },
      ]),
      user('go'),
    ];

    expect(body({ system: 'Be brief.', messages })).toMatchObject({ system: [{ type: 'text', text: 'Be brief.\n\nSpeak French.' }] });
    expect(body({ messages: [user('go')] })).not.toHaveProperty('system');
  });

  it('puts calls behind the text that came after them', () => {
    const messages = [user('go'), message('assistant', [call('a'), { type: 'text', text: 'wait' }]), message('user', [result('a')])];

    expect(body({ messages }).messages[1]?.content).toMatchObject([{ type: 'text' }, { type: 'tool_use' }]);
  });

  it('sends sealed thinking of Anthropic, unsealed and foreign thinking to nobody', () => {
    const foreign: Block[] = [
      { type: 'thinking', text: 'unsealed', provider: 'anthropic' },
      { type: 'thinking', text: 'foreign', signature: 'c2ln', provider: 'openai' },
      { type: 'redacted_thinking', data: 'foreign', provider: 'openai' },
      { type: 'thinking', text: 'nobody’s', signature: 'c2ln' },
    ];
    const messages = [user('go'), message('assistant', [SEALED, ...foreign, call('a')]), message('user', [result('a')])];

    expect(body({ messages }).messages[1]?.content).toMatchObject([
      { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
      { type: 'tool_use' },
    ]);
  });

  it('ends no turn with thinking, and sends no turn that is nothing else', () => {
    const messages = [
      user('a'),
      message('assistant', [{ type: 'text', text: 'b' }, SEALED]),
      user('c'),
      message('assistant', [SEALED]),
      user('d'),
    ];

    expect(body({ messages }).messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ type: 'text', text: 'b' }] },
      { role: 'user', content: [{ text: 'c' }, { text: 'd' }] },
    ]);
  });

  it('begins and ends with the user, also where the user said nothing', () => {
    const messages = [message('assistant', [{ type: 'text', text: 'How can I help?' }]), user('  ')];

    expect(body({ messages }).messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  it('renames ids and names that Anthropic refuses, the same way in call and result, and never two alike', () => {
    const ids = ['call.1', 'call:1', 'ok_1'];
    const messages = [
      user('go'),
      message(
        'assistant',
        ids.map((id) => call(id, 'functions.echo')),
      ),
      message(
        'user',
        ids.map((id) => result(id)),
      ),
    ];

    const sent = body({ messages }).messages;
    const uses = sent[1]?.content as { id: string; name: string }[];
    expect(sent[2]?.content).toMatchObject(uses.map(({ id }) => ({ tool_use_id: id })));
    expect(new Set(uses.map(({ id }) => id)).size).toBe(3);
    expect(uses.map(({ name }) => name)).toEqual(['functions_echo', 'functions_echo', 'functions_echo']);
    expect(uses[2]?.id).toBe('ok_1');
    expect(body({ messages }).messages).toEqual(sent);
  });

  it('sends pictures as data or by their address, in results too, and a note for one that nobody takes', () => {
    const png: Block = { type: 'image', media_type: 'image/png', data: 'AAAA' };
    const messages = [
      message('user', [png, { type: 'image', url: 'https://example.com/a.png' }, { type: 'image', url: 'data:image/gif;base64,BBBB' }]),
      message('assistant', [call('a')]),
      message('user', [result('a', [png, { type: 'image', media_type: 'image/tiff', data: 'CCCC' }])]),
    ];

    const sent = body({ messages }).messages;

    expect(sent[0]?.content).toEqual([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
      { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
      { type: 'image', source: { type: 'base64', media_type: 'image/gif', data: 'BBBB' } },
    ]);
    expect(sent[2]?.content).toMatchObject([
      { content: [{ type: 'image' }, { type: 'text', text: expect.stringContaining('image/tiff') }] },
    ]);
  });

  it('holds no lone surrogate anywhere, and else the text as it is', () => {
    const tool = { ...toolDefinition('echo'), description: 'cut \ud83d' };
    const broken: Block = { type: 'tool_use', call_id: 'a', name: 'echo', arguments: { v: ['\udc00', 'fine 🙂'] } };
    const sent = body({ tools: [tool], messages: [user('🙂\ud83d'), message('assistant', [broken]), message('user', [result('a')])] });

    expect(sent).toMatchObject({
      tools: [{ description: 'cut \ufffd' }],
      messages: [{ content: [{ text: '🙂\ufffd' }] }, { content: [{ input: { v: ['\ufffd', 'fine 🙂'] } }] }, {}],
    });
  });
});

describe('parameters in Anthropic’s words', () => {
  const tools = [toolDefinition('echo')];

  it('are only sent where they are set, but for the output limit, which must be', () => {
    expect(body({})).toEqual({
      model: 'claude-test',
      max_tokens: 8_192,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'go' }] }],
      stream: true,
    });
    expect(body({ params: { max_output_tokens: 50, temperature: 0 } })).toMatchObject({ max_tokens: 50, temperature: 0 });
  });

  it.each([
    ['auto', { type: 'auto' }],
    ['none', { type: 'none' }],
    ['required', { type: 'any' }],
    [{ name: 'echo' }, { type: 'tool', name: 'echo' }],
  ] as const)('say the tool choice %j', (choice, expected) => {
    expect(body({ tools, params: { tool_choice: choice } }).tool_choice).toEqual(expected);
    expect(body({ params: { tool_choice: choice } })).not.toHaveProperty('tool_choice');
  });

  it('give every tool an object as its input', () => {
    expect(body({ tools: [{ ...toolDefinition('echo'), input_schema: {} }] }).tools).toMatchObject([
      { name: 'echo', input_schema: { type: 'object' } },
    ]);
  });

  it('are overruled by further fields of the caller, but the reply is always streamed', () => {
    const params = { temperature: 1, extra_body: { temperature: 0.2, top_k: 5, stream: false } };

    expect(body({ params })).toMatchObject({ temperature: 0.2, top_k: 5, stream: true });
  });
});

describe('thinking in Anthropic’s words', () => {
  it.each([
    ['low', 2_048],
    ['medium', 4_096],
    ['high', 6_144],
  ] as const)('at level %s has a budget that leaves room for the answer', (thinking, budget) => {
    const sent = body({ params: { thinking, temperature: 0.3 } }, { thinkingStyle: 'budget' });

    expect(sent.thinking).toEqual({ type: 'enabled', budget_tokens: budget });
    expect(sent).not.toHaveProperty('temperature');
  });

  it.each(['low', 'medium', 'high'] as const)('at level %s is an effort for models that decide by themselves', (thinking) => {
    const sent = body({ params: { thinking, temperature: 0.3 } });

    expect(sent).toMatchObject({ thinking: { type: 'adaptive' }, output_config: { effort: thinking } });
    expect(sent).not.toHaveProperty('temperature');
  });

  it('is turned off where it may be on by itself, and keeps the temperature', () => {
    expect(body({ params: { thinking: 'off', temperature: 0.3 } })).toMatchObject({ thinking: { type: 'disabled' }, temperature: 0.3 });
    expect(body({ params: { thinking: 'off' } }, { thinkingStyle: 'budget' })).not.toHaveProperty('thinking');
  });

  it('has no budget where the output limit is too small for the least one', () => {
    expect(body({ params: { thinking: 'high', max_output_tokens: 1_024 } }, { thinkingStyle: 'budget' })).not.toHaveProperty('thinking');
  });

  it('is not asked for while a tool is forced', () => {
    const params = { thinking: 'high', tool_choice: 'required' } as const;

    expect(body({ tools: [toolDefinition('echo')], params })).not.toHaveProperty('thinking');
    expect(body({ tools: [toolDefinition('echo')], params }, { thinkingStyle: 'budget' })).not.toHaveProperty('thinking');
  });

  it('waits for the next message of a person where a call of this turn came without it', () => {
    const open = [user('go'), message('assistant', [call('a')]), message('user', [result('a')])];
    const closed = [...open, message('assistant', [{ type: 'text', text: 'done' }]), user('and now?')];

    expect(body({ messages: open, params: { thinking: 'high' } })).not.toHaveProperty('thinking');
    expect(body({ messages: closed, params: { thinking: 'high' } })).toHaveProperty('thinking');
  });

  it.each([
    ['claude-3-7-sonnet-20250219', 'budget'],
    ['claude-sonnet-4-20250514', 'budget'],
    ['claude-opus-4-1', 'budget'],
    ['claude-haiku-4-5-20251001', 'budget'],
    ['claude-sonnet-4-5', 'budget'],
    ['claude-opus-4-6', 'adaptive'],
    ['claude-sonnet-5', 'adaptive'],
    ['claude-of-next-year', 'adaptive'],
  ])('of %s is told as %s', (model, style) => {
    expect(thinkingStyleOf(model)).toBe(style);
  });
});
