/** A tool's way to say exactly what its result is, where a plain value would not do. */
import type { ResultContent } from '../schema/message.ts';

/** A result made by hand: content blocks, whether it is an error, and what was cut before it got here. */
export class ToolOutput {
  readonly content: readonly ResultContent[];
  readonly isError: boolean;
  /** Bytes that the tool itself left out. They are only counted: the tool's own text should say so. */
  readonly droppedBytes: number;

  constructor(content: string | readonly ResultContent[], options: { isError?: boolean; droppedBytes?: number } = {}) {
    this.content = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    this.isError = options.isError ?? false;
    this.droppedBytes = options.droppedBytes ?? 0;
  }
}
