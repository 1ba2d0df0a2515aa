/**
 * Width of text as a terminal shows it, and cutting by it. Near enough for one line of a trace: wide scripts and
 * pictures count two columns, marks that stand on another character none.
 */

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;
const NO_WIDTH = /^[\p{M}\p{Cf}]+$/u;

/** Columns that the text takes on a terminal. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += widthOf(segment);
  return width;
}

/** The text, cut to at most `columns` columns with `…` as the last of them. Never cuts within a character. */
export function shortenToWidth(text: string, columns: number): string {
  let width = 0;
  let fitting = 0;
  // The segmenter is lazy, so a text of megabytes costs no more than its first columns.
  for (const { segment, index } of segmenter.segment(text)) {
    width += widthOf(segment);
    if (width > columns) return `${text.slice(0, fitting).trimEnd()}…`;
    if (width < columns) fitting = index + segment.length;
  }
  return text;
}

function widthOf(grapheme: string): number {
  const columns = WIDE.test(grapheme) || grapheme.includes('\ufe0f') ? 2 : 1;
  // One character may carry any number of marks; past what real scripts use they count, so that no line grows without end.
  const excess = grapheme.length >> 4;
  return NO_WIDTH.test(grapheme) ? excess : Math.max(columns, excess);
}
