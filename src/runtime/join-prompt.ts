/** How parts of a system prompt become one text: the same rule for the journal and for what a provider is sent. */

/** The parts with a blank line between them; parts that are missing or blank are left out. Undefined when nothing is left. */
export function joinPrompt(parts: readonly (string | undefined)[]): string | undefined {
  const spoken = parts.filter((part) => part !== undefined && part.trim() !== '');
  return spoken.length === 0 ? undefined : spoken.join('\n\n');
}
