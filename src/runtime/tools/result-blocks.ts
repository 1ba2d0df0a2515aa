/**
 * Recognises in a tool's value the shapes that already are result content: a ToolOutput, a list of text and image
 * blocks, and what MCP tools answer (`{ content, isError }`). Everything else becomes one text. Blocks are made
 * anew, field by field, so that nothing foreign travels with them.
 */
import type { ResultContent } from '../schema/message.ts';
import { errorText } from './error-text.ts';
import { renderValue } from './render-value.ts';
import { ToolOutput } from './tool-output.ts';

/** Content as the tool meant it, before any cap. */
export interface ResultBlocks {
  readonly content: readonly ResultContent[];
  readonly isError: boolean;
  /** Bytes that the tool itself left out. */
  readonly droppedBytes: number;
}

const MCP_RESULT_KEYS: ReadonlySet<string> = new Set(['content', 'isError', 'structuredContent', '_meta']);

/** Content blocks of any value, perhaps none. Never throws. */
export function resultBlocks(value: unknown): ResultBlocks {
  try {
    return shapedBlocks(value) ?? textOnly(renderValue(value));
  } catch {
    // A proxy or a getter that throws: rendering explains it.
    return textOnly(renderValue(value));
  }
}

function shapedBlocks(value: unknown): ResultBlocks | undefined {
  if (value instanceof ToolOutput) {
    return { content: [...value.content].map(anyBlock), isError: value.isError, droppedBytes: value.droppedBytes };
  }
  if (value instanceof Error) return { ...textOnly(errorText(value)), isError: true };
  if (Array.isArray(value)) return ofList(value);
  return isMcpResult(value) ? ofMcpResult(value) : undefined;
}

function textOnly(text: string): ResultBlocks {
  return { content: [{ type: 'text', text }], isError: false, droppedBytes: 0 };
}

function ofList(values: readonly unknown[]): ResultBlocks | undefined {
  if (values.length === 0) return { content: [], isError: false, droppedBytes: 0 };
  return areAll(values, isTextOrImage) ? { content: values.map(anyBlock), isError: false, droppedBytes: 0 } : undefined;
}

/** `every` would skip the holes of a sparse list. */
function areAll(values: readonly unknown[], fits: (value: unknown) => boolean): boolean {
  for (const value of values) if (!fits(value)) return false;
  return true;
}

interface McpResult {
  readonly content: readonly unknown[];
  readonly isError?: unknown;
  readonly structuredContent?: unknown;
}

function isMcpResult(value: unknown): value is McpResult {
  return (
    isRecord(value) &&
    Array.isArray(value['content']) &&
    areAll(value['content'], (block) => isRecord(block) && typeof block['type'] === 'string') &&
    Object.keys(value).every((key) => MCP_RESULT_KEYS.has(key))
  );
}

function ofMcpResult(result: McpResult): ResultBlocks {
  const bare = result.content.length === 0 && result.structuredContent !== undefined;
  const content = bare ? textOnly(renderValue(result.structuredContent)).content : result.content.map(anyBlock);
  return { content, isError: result.isError === true, droppedBytes: 0 };
}

function isTextOrImage(value: unknown): boolean {
  if (!isRecord(value)) return false;
  if (value['type'] === 'text') return typeof value['text'] === 'string';
  return value['type'] === 'image' && (typeof value['data'] === 'string' || typeof value['url'] === 'string');
}

function anyBlock(value: unknown): ResultContent {
  if (isRecord(value) && value['type'] === 'text' && typeof value['text'] === 'string') return { type: 'text', text: value['text'] };
  if (isRecord(value) && value['type'] === 'image') return imageBlock(value);
  return { type: 'text', text: embeddedText(value) ?? renderValue(value) };
}

/** Text of an MCP resource that carries its text along. */
function embeddedText(value: unknown): string | undefined {
  const resource = isRecord(value) && value['type'] === 'resource' ? value['resource'] : undefined;
  return isRecord(resource) && typeof resource['text'] === 'string' ? resource['text'] : undefined;
}

function imageBlock(value: Readonly<Record<string, unknown>>): ResultContent {
  const { data, url } = value;
  const mediaType = value['media_type'] ?? value['mimeType'];
  if (typeof data === 'string' && typeof mediaType === 'string') return { type: 'image', media_type: mediaType, data };
  if (typeof url === 'string' && url !== '') return { type: 'image', url };
  return { type: 'text', text: '[image left out: it needs url, or data (base64) and media_type]' };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
