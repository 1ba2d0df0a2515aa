/**
 * Text measured and cut in UTF-8 bytes, for results that must stay within a cap. A cut falls between two
 * characters and never inside one, lone surrogates become U+FFFD, and no text is ever encoded as a whole:
 * only what is kept is copied, the rest is counted piece by piece.
 */

/** Fewest bytes that a cap may ask for: below it there is no room for a text and the note that says what is missing. */
export const LEAST_CAP_BYTES = 64;

/** A text within its cap. */
export interface CutText {
  /** Well-formed, and at most as many UTF-8 bytes as the cap. */
  readonly text: string;
  /** UTF-8 bytes that did not fit. */
  readonly droppedBytes: number;
}

const PIECE = 16_384;
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** How many bytes a text has in UTF-8, a lone surrogate counted as the U+FFFD that would replace it. */
export function utf8Bytes(text: string): number {
  return countFrom(text, 0);
}

/** The same text with each lone surrogate replaced by U+FFFD, as providers insist. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

/** Keeps the head of a text: as many whole characters as fit into `capBytes` bytes of UTF-8. Never throws. */
export function cutText(text: string, capBytes: number): CutText {
  // No character has fewer bytes than code units, so more than the cap never needs a look.
  const head = text.slice(0, wholeEnd(text, Math.max(0, Math.floor(capBytes))));
  const room = new Uint8Array(Math.min(Math.max(0, Math.floor(capBytes)), head.length * 3));
  const { read, written } = encoder.encodeInto(head, room);
  // Decoding makes a text of its own: a slice would keep the whole of a huge text alive.
  return { text: decoder.decode(room.subarray(0, written)), droppedBytes: countFrom(text, read) };
}

/**
 * Cuts a text to a cap and says at its end how many bytes were left out, the note counted within the cap.
 * A text that fits comes back well-formed and otherwise untouched. Caps under LEAST_CAP_BYTES count as that.
 */
export function capText(text: string, capBytes: number): CutText {
  const cap = Math.max(LEAST_CAP_BYTES, capBytes);
  const whole = cutText(text, cap);
  if (whole.droppedBytes === 0) return whole;
  const total = utf8Bytes(whole.text) + whole.droppedBytes;
  const kept = cutText(whole.text, cap - noteBytes(total));
  const droppedBytes = whole.droppedBytes + kept.droppedBytes;
  return { text: kept.text + cutNote(droppedBytes), droppedBytes };
}

/** The note at the end of a cut text. */
export function cutNote(droppedBytes: number): string {
  return `\n[${droppedBytes} bytes left out]`;
}

/** Bytes to keep free for a note about at most so many bytes. */
export function noteBytes(mostDropped: number): number {
  return cutNote(mostDropped).length;
}

function countFrom(text: string, start: number): number {
  const room = new Uint8Array(Math.min(PIECE, Math.max(0, text.length - start)) * 3);
  let bytes = 0;
  for (let at = start; at < text.length; ) {
    const end = wholeEnd(text, at + PIECE);
    bytes += encoder.encodeInto(text.slice(at, end), room).written;
    at = end;
  }
  return bytes;
}

/** `end`, or one less where it would part the two halves of a character. */
function wholeEnd(text: string, end: number): number {
  if (end >= text.length) return text.length;
  return end > 0 && isHighSurrogate(text.charCodeAt(end - 1)) && isLowSurrogate(text.charCodeAt(end)) ? end - 1 : end;
}

/** Whether a UTF-16 unit is the first half of a character. */
export function isHighSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}

function isLowSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xdc00;
}
