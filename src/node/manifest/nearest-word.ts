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

/** Insertions, deletions, replacements and swaps of neighbours that lead from one word to the other. */
function distanceBetween(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 0; i < from.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j += 1) {
      const replaced = at(row, j) + (from[i] === to[j] ? 0 : 1);
      const swapped = i > 0 && j > 0 && from[i] === to[j - 1] && from[i - 1] === to[j] ? at(before, j - 1) + 1 : replaced;
      next.push(Math.min(replaced, swapped, at(row, j + 1) + 1, at(next, j) + 1));
    }
    before = row;
    row = next;
  }
  return at(row, to.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
