/** Random histories that are valid as the loop guarantees it (L1), with everything odd that may still be in them. */
import fc from 'fast-check';
import type { AssistantBlock, Block, Message, ResultContent, ToolUseBlock } from '../../src/runtime/schema/message.ts';

const text = fc.oneof(
  { weight: 3, arbitrary: fc.string() },
  { weight: 1, arbitrary: fc.constantFrom('', ' \n', '\ud83d', 'cut \ud83d', '\udc00 low', '🙂', 'ok ') },
);

const textBlock = text.map((value): Block & ResultContent & AssistantBlock => ({ type: 'text', text: value }));

const image = fc.constantFrom<Block & ResultContent & AssistantBlock>(
  { type: 'image', media_type: 'image/png', data: 'iVBORw0KGgo=' },
  { type: 'image', media_type: 'image/svg+xml', data: 'PHN2Zy8+' },
  { type: 'image', url: 'https://example.com/a.png' },
  { type: 'image', url: 'data:image/jpeg;base64,/9j/4AA=' },
);

const provider = fc.constantFrom('anthropic', 'openai', 'openai-compatible', 'script');

const thinking = fc.oneof(
  fc.record({ type: fc.constant('thinking' as const), text, signature: fc.constantFrom('', 'c2ln'), provider }),
  fc.record({ type: fc.constant('thinking' as const), text, provider }),
  fc.record({ type: fc.constant('redacted_thinking' as const), data: fc.constant('ZGF0YQ=='), provider }),
);

/** A call; its id is made unique by its place in the history. */
const call = fc.record({
  type: fc.constant('tool_use' as const),
  call_id: fc.constantFrom('toolu_', 'call.', 'functions.echo:', 'ü', ' ', 'x'.repeat(60), ''),
  name: fc.constantFrom('echo', 'functions.echo', '', 'ein Werkzeug', 'y'.repeat(80)),
  arguments: fc.dictionary(fc.string(), fc.oneof(text, fc.integer(), fc.constant(null))) as fc.Arbitrary<ToolUseBlock['arguments']>,
});

const said = fc.oneof({ weight: 3, arbitrary: textBlock }, { weight: 2, arbitrary: thinking }, { weight: 1, arbitrary: image });

const result = fc.record({ content: fc.array(fc.oneof(textBlock, image), { maxLength: 3 }), is_error: fc.boolean() });

/** One step: what the user says, what the model answers and asks for, what comes of each call, what is said in between. */
const step = fc.record({
  user: fc.array(fc.oneof(textBlock, image), { maxLength: 2 }),
  blocks: fc.array(fc.oneof({ weight: 3, arbitrary: said }, { weight: 2, arbitrary: call }), { maxLength: 5 }),
  results: fc.array(result, { minLength: 5, maxLength: 5 }),
  injected: fc.array(textBlock, { maxLength: 1 }),
});

const system = fc.array(textBlock, { maxLength: 2 });

/** A history: system messages at its head if at all, each call with its result right behind, a user message at its end. */
export const randomHistory: fc.Arbitrary<Message[]> = fc
  .tuple(system, fc.array(step, { minLength: 1, maxLength: 5 }), fc.array(textBlock, { maxLength: 2 }))
  .map(([head, steps, last]) => {
    const messages: Message[] = [];
    const add = (role: Message['role'], content: readonly Block[]) =>
      messages.push({ id: `m${messages.length}`, role, content: [...content], time: messages.length });
    if (head.length > 0) add('system', head);
    let calls = 0;
    for (const { user, blocks, results, injected } of steps) {
      add('user', user);
      const unique = blocks.map((block) => (block.type === 'tool_use' ? { ...block, call_id: `${block.call_id}${++calls}` } : block));
      add('assistant', unique);
      const asked = unique.filter((block) => block.type === 'tool_use');
      const answers = asked.map(
        ({ call_id }, index): Block => ({ type: 'tool_result', call_id, content: [], is_error: false, ...results[index] }),
      );
      if (answers.length > 0) add('user', answers);
      if (injected.length > 0) add('user', injected);
    }
    add('user', last);
    return messages;
  });
