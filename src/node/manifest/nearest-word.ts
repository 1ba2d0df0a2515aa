/** Finds the word that somebody probably meant, for the errors about unknown keys and placeholders. */

/** The known word nearest to `word`, when it is near enough to be worth a suggestion: few letters apart, or one begins with the other. */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  const wanted = simplified(word);
  const ranked = known
    .map((candidate) => ({ candidate, distance: distanceBetween(wanted, simplified(candidate)) }))
    .sort((left, right) => left.distance - right.distance);
  const [best] = ranked;
  if (best === undefined || wanted === '') return undefined;
  if (best.distance <= Math.max(1, Math.floor(wanted.length / 3))) return best.candidate;
  return known.find((candidate) => wanted.length >= 3 && simplified(candidate).startsWith(wanted));
}

function simplified(word: string): string {
  return word
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, 64);
}

/** Insertions, deletions and replacements that lead from one word to the other. */
function distanceBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...to].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
