/** The head of a text that is only quoted: what a sentence says of it must not be as long as what was sent. */

/** At most `most` UTF-16 units of a text, with `…` behind them where something is missing. */
export function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
