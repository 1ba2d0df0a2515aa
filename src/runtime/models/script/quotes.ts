/**
 * Quotes: `{{last_result}}` and its kin in the texts of a script, filled in with what the request really
 * holds. What is inserted is inserted as it is and never looked at again. Braces around anything else
 * (`{{ a: 1 }}`) are plain text; a backslash in front makes a quote plain text as well.
 */
import { ModelError } from '../../errors.ts';
import type { ModelRequest } from '../../ports.ts';
import type { Message, ToolResultBlock } from '../../schema/message.ts';

const QUOTE = /(\\?)\{\{([A-Za-z_][^\s{}"']*)\}\}/g;
const FIRST_LINE = '.first_line';
const RESULT_OF = 'result:';

/** The first `{{...}}` that looks like a quote and is none; undefined when all are fine. */
export function findUnknownQuote(text: string): string | undefined {
  for (const [whole, backslash, name] of text.matchAll(QUOTE)) {
    if (backslash === '' && name !== undefined && !isKnown(withoutFilter(name))) return whole;
  }
  return undefined;
}

/** The text with its quotes filled in, each passed through `encode`. Throws a `ModelError` when there is nothing to quote. */
export function fillQuotes(text: string, request: ModelRequest, encode: (quoted: string) => string = asItIs): string {
  if (!text.includes('{{')) return text;
  return text.replace(QUOTE, (whole: string, backslash: string, name: string) =>
    backslash === '' ? encode(readQuote(whole, name, request)) : whole.slice(1),
  );
}

/** The text of the last tool result in the request; undefined without one. */
export function lastResultText(messages: readonly Message[]): string | undefined {
  for (const message of fromTheEnd(messages)) {
    for (const block of fromTheEnd(message.content)) {
      if (block.type === 'tool_result') return resultText(block);
    }
  }
  return undefined;
}

/** The last text that a user message holds; undefined without one. */
export function lastUserText(messages: readonly Message[]): string | undefined {
  for (const message of fromTheEnd(messages)) {
    const texts = message.role === 'user' ? textsOf(message.content) : [];
    if (texts.length > 0) return texts.join('\n');
  }
  return undefined;
}

function asItIs(text: string): string {
  return text;
}

function withoutFilter(name: string): string {
  return name.endsWith(FIRST_LINE) ? name.slice(0, -FIRST_LINE.length) : name;
}

function isKnown(source: string): boolean {
  return source === 'last_result' || source === 'last_user' || (source.startsWith(RESULT_OF) && source.length > RESULT_OF.length);
}

function readQuote(whole: string, name: string, request: ModelRequest): string {
  const source = withoutFilter(name);
  const quoted = readSource(source, request.messages);
  if (quoted === undefined) {
    throw new ModelError('invalid_request', `the script quotes ${whole}, but the request holds nothing to quote there`);
  }
  return source === name ? quoted : (quoted.split(/\r?\n/, 1)[0] ?? '');
}

function readSource(source: string, messages: readonly Message[]): string | undefined {
  if (source === 'last_result') return lastResultText(messages);
  if (source === 'last_user') return lastUserText(messages);
  return source.startsWith(RESULT_OF) ? resultTextOf(source.slice(RESULT_OF.length), messages) : undefined;
}

/** The latest result of the call with that id, or of the tool with that name. */
function resultTextOf(key: string, messages: readonly Message[]): string | undefined {
  // Results stand behind their calls, so a walk from the end knows a call's result when it meets the call.
  const results = new Map<string, ToolResultBlock>();
  for (const message of fromTheEnd(messages)) {
    for (const block of fromTheEnd(message.content)) {
      if (block.type === 'tool_result') results.set(block.call_id, block);
      if (block.type !== 'tool_use' || (block.call_id !== key && block.name !== key)) continue;
      const result = results.get(block.call_id);
      if (result !== undefined) return resultText(result);
    }
  }
  return undefined;
}

function resultText(result: ToolResultBlock): string {
  return textsOf(result.content).join('\n');
}

function textsOf(blocks: Message['content']): string[] {
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
}

function* fromTheEnd<Item>(items: readonly Item[]): Generator<Item> {
  for (let index = items.length - 1; index >= 0; index -= 1) yield items[index] as Item;
}
