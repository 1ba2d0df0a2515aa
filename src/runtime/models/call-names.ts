/**
 * Ids and names of tool calls as a provider accepts them. A history may hold calls of another provider, or of a
 * model that made a name up; they are renamed the same way in every request, so that the prompt cache holds.
 */

/** Gives the id to send for a call's own id. */
export type CallIds = (id: string) => string;

/**
 * Ids that all match `accepted`. One that does so already is kept; another gets a new one, made of it and
 * therefore the same each time. No two ids of a history become one.
 */
export function callIds(accepted: RegExp): CallIds {
  const sent = new Map<string, string>();
  const taken = new Set<string>();
  return (id) => {
    const known = sent.get(id);
    if (known !== undefined) return known;
    let candidate = accepted.test(id) ? id : madeId(id, 0);
    for (let turn = 1; taken.has(candidate); turn++) candidate = madeId(id, turn);
    sent.set(id, candidate);
    taken.add(candidate);
    return candidate;
  };
}

/** The name to send for a tool that was called: as it is where it fits, else without the characters that providers refuse. */
export function callName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unnamed_tool';
}

/** Short enough for OpenAI, which takes 40 characters. */
function madeId(id: string, turn: number): string {
  const readable = id.replace(/[^a-zA-Z0-9_-]/g, '').slice(0, 20);
  return `call_${readable}_${hash(`${turn}:${id}`)}`;
}

/** FNV-1a, 32 bits: portable, synchronous, and only there to tell ids apart. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return (value >>> 0).toString(36);
}
