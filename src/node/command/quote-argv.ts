/** Shows an argv as a line that a person can read and a shell would read the same way. For reading only: nothing here is ever run. */

const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;
const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '\\': '\\\\', "'": "\\'" };

/** The elements quoted where they need it, on one line, control characters spelled out. */
export function quoteArgv(argv: readonly string[]): string {
  return argv.map(quote).join(' ');
}

function quote(element: string): string {
  if (PLAIN.test(element)) return element;
  if (!UNPRINTABLE.test(element)) return `'${element.replaceAll("'", "'\\''")}'`;
  return `$'${[...element].map(escapeCharacter).join('')}'`;
}

function escapeCharacter(character: string): string {
  if (character in ESCAPES) return ESCAPES[character] ?? character;
  if (!UNPRINTABLE.test(character)) return character;
  const code = character.charCodeAt(0);
  return code < 0x80 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
