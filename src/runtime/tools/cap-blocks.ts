/**
 * Caps of a result. All its text together has one cap in UTF-8 bytes; its pictures together have one of their own,
 * so that a screenshot does not eat the text. What is left out is said in the text, within its cap.
 */
import type { ImageBlock, ResultContent } from '../schema/message.ts';
import { cutNote, cutText, LEAST_CAP_BYTES, noteBytes, utf8Bytes, wellFormed } from './cut-text.ts';

/** Most characters of base64 (or of URLs) of all pictures of one result together; a picture that does not fit becomes a text that says so. */
export const IMAGE_CAP_BYTES = 5 * 1024 * 1024;

/** Blocks within the caps. */
export interface CappedBlocks {
  readonly content: ResultContent[];
  readonly droppedBytes: number;
}

/** Drops blank texts, leaves out pictures over their cap, cuts the text to `capBytes`, and counts what is gone. */
export function capBlocks(content: readonly ResultContent[], capBytes: number): CappedBlocks {
  const images = capImages(content);
  const texts = capTexts(images.content, Math.max(LEAST_CAP_BYTES, capBytes));
  return { content: texts.content, droppedBytes: images.droppedBytes + texts.droppedBytes };
}

function capImages(content: readonly ResultContent[]): CappedBlocks {
  const kept: ResultContent[] = [];
  let left = IMAGE_CAP_BYTES;
  let droppedBytes = 0;
  for (const block of content) {
    if (block.type === 'text') {
      if (/\S/.test(block.text)) kept.push(block);
      continue;
    }
    const size = (block.data ?? block.url ?? '').length;
    const problem = imageProblem(block, left);
    if (problem === undefined) left -= size;
    else if (size > left) droppedBytes += size;
    kept.push(problem === undefined ? block : { type: 'text', text: `[image left out: ${problem}]` });
  }
  return { content: kept, droppedBytes };
}

function imageProblem(block: ImageBlock, left: number): string | undefined {
  const size = (block.data ?? block.url ?? '').length;
  if (size > left) return `its ${size} bytes go over the cap of ${IMAGE_CAP_BYTES} for the images of one result`;
  return block.data === undefined || /^[A-Za-z0-9+/]+={0,2}$/.test(block.data) ? undefined : 'its data is not base64';
}

function capTexts(content: readonly ResultContent[], capBytes: number): CappedBlocks {
  const total = content.reduce((bytes, block) => bytes + (block.type === 'text' ? utf8Bytes(block.text) : 0), 0);
  if (total <= capBytes) return { content: content.map(wellFormedBlock), droppedBytes: 0 };
  const kept: ResultContent[] = [];
  let left = capBytes - noteBytes(total);
  let lastCut: { type: 'text'; text: string } | undefined;
  let droppedBytes = 0;
  for (const block of content) {
    if (block.type === 'image') {
      kept.push(block);
      continue;
    }
    const cut = cutText(block.text, left);
    left -= utf8Bytes(cut.text);
    droppedBytes += cut.droppedBytes;
    if (cut.droppedBytes === 0) kept.push({ type: 'text', text: cut.text });
    else if (lastCut === undefined) {
      lastCut = { type: 'text', text: cut.text };
      kept.push(lastCut);
      // Nothing behind a cut is told, however well it would fit.
      left = 0;
    }
  }
  if (lastCut !== undefined) lastCut.text = lastCut.text === '' ? cutNote(droppedBytes).trimStart() : lastCut.text + cutNote(droppedBytes);
  return { content: kept, droppedBytes };
}

function wellFormedBlock(block: ResultContent): ResultContent {
  return block.type === 'text' ? { type: 'text', text: wellFormed(block.text) } : block;
}
