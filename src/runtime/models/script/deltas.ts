/** A reply's blocks as the deltas that a stream would bring. */
import type { ModelChunk } from '../../ports.ts';
import type { AssistantBlock } from '../../schema/message.ts';
import { isHighSurrogate } from '../../tools/cut-text.ts';

/**
 * The deltas of a reply, each of at most `size` characters (left out: one a block). A surrogate pair is never split, and a
 * call has one delta at least, which names it.
 */
export function* deltasOf(content: readonly AssistantBlock[], size = Number.POSITIVE_INFINITY): Generator<ModelChunk, void, undefined> {
  let call = 0;
  for (const block of content) {
    if (block.type === 'text') {
      for (const text of pieces(block.text, size)) yield { type: 'text_delta', text };
    } else if (block.type === 'thinking') {
      for (const text of pieces(block.text, size)) yield { type: 'thinking_delta', text };
    } else if (block.type === 'tool_use') {
      yield* callDeltas(call, block.name, block.arguments_text ?? JSON.stringify(block.arguments), size);
      call += 1;
    }
  }
}

function* callDeltas(call: number, name: string, text: string, size: number): Generator<ModelChunk, void, undefined> {
  if (text === '') yield { type: 'tool_input_delta', call, name, text };
  let first = true;
  for (const piece of pieces(text, size)) {
    yield first ? { type: 'tool_input_delta', call, name, text: piece } : { type: 'tool_input_delta', call, text: piece };
    first = false;
  }
}

function* pieces(text: string, size: number): Generator<string, void, undefined> {
  let start = 0;
  while (start < text.length) {
    let end = Math.min(start + size, text.length);
    if (isHighSurrogate(text.charCodeAt(end - 1)) && end < text.length) end += 1;
    yield text.slice(start, end);
    start = end;
  }
}
