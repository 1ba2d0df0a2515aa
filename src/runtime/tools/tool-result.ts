/**
 * From what a tool returned, or threw, to what a model is told: never empty, well-formed, within the cap, whatever
 * the value was. Text is cut in UTF-8 bytes and says so; pictures are kept and have a cap of their own.
 */
import { DEFAULTS } from '../schema/config.ts';
import type { ResultContent } from '../schema/message.ts';
import { capBlocks } from './cap-blocks.ts';
import { errorText } from './error-text.ts';
import { resultBlocks } from './result-blocks.ts';

/** Content of a tool result, ready for an event and for a provider. */
export interface ToolResult {
  /** At least one block; texts are non-blank and well-formed. */
  readonly content: ResultContent[];
  readonly is_error: boolean;
  /** Bytes left out by the tool itself and by the caps; not there when nothing was. */
  readonly dropped_bytes?: number;
}

/** How a value becomes a result. */
export interface ToolResultOptions {
  /** Most UTF-8 bytes of all text together, notes included; under 64 counts as 64. Default 64 KiB. */
  readonly capBytes?: number;
  /** Whether it is an error, instead of what the value itself says. */
  readonly isError?: boolean;
}

/**
 * Result of a tool that returned `value`: texts as they are, text and image blocks (a ToolOutput, a list, an MCP
 * answer) as blocks, an Error as an error result, other data as compact JSON, and a marker where there is nothing
 * to show. Never throws.
 */
export function toToolResult(value: unknown, options: ToolResultOptions = {}): ToolResult {
  const blocks = resultBlocks(value);
  const isError = options.isError ?? blocks.isError;
  const capped = capBlocks(blocks.content, options.capBytes ?? DEFAULTS.resultCapBytes);
  const droppedBytes = blocks.droppedBytes + capped.droppedBytes;
  return {
    content: capped.content.length > 0 ? capped.content : [{ type: 'text', text: emptyMarker(blocks.content, isError) }],
    is_error: isError,
    ...(droppedBytes > 0 && { dropped_bytes: droppedBytes }),
  };
}

/** Error result of a tool that threw `error`, which may be anything. Never throws, never empty. */
export function errorResult(error: unknown, options: { capBytes?: number } = {}): ToolResult {
  return toToolResult(errorText(error), { ...options, isError: true });
}

function emptyMarker(content: readonly ResultContent[], isError: boolean): string {
  if (isError) return '(failed without any output)';
  return content.some((block) => block.type === 'text' && block.text !== '') ? '(only white space)' : '(no output)';
}
