/**
 * JSON Schema writes patterns in ECMA-262 syntax; the engine that checks them in linear time speaks RE2. This
 * translates where the two differ in meaning, and refuses what RE2 cannot say instead of letting it match
 * something else. Pure text in, text out: the engine need not be loaded.
 */

/** Why a pattern cannot be used, as the end of a sentence. */
export class PatternProblem extends Error {
  override readonly name = 'PatternProblem';
}

const SPACES = '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const NON_SPACES =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}' +
  '\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}';
const NOT_LINE_END = '[^\\n\\r\\x{2028}\\x{2029}]';

/** Long names of general categories, which RE2 knows by their short ones. */
const CATEGORIES: Readonly<Record<string, string>> = {
  Letter: 'L',
  Uppercase_Letter: 'Lu',
  Lowercase_Letter: 'Ll',
  Titlecase_Letter: 'Lt',
  Modifier_Letter: 'Lm',
  Other_Letter: 'Lo',
  Mark: 'M',
  Nonspacing_Mark: 'Mn',
  Spacing_Mark: 'Mc',
  Enclosing_Mark: 'Me',
  Number: 'N',
  Decimal_Number: 'Nd',
  Letter_Number: 'Nl',
  Other_Number: 'No',
  Symbol: 'S',
  Math_Symbol: 'Sm',
  Currency_Symbol: 'Sc',
  Modifier_Symbol: 'Sk',
  Other_Symbol: 'So',
  Punctuation: 'P',
  Connector_Punctuation: 'Pc',
  Dash_Punctuation: 'Pd',
  Open_Punctuation: 'Ps',
  Close_Punctuation: 'Pe',
  Initial_Punctuation: 'Pi',
  Final_Punctuation: 'Pf',
  Other_Punctuation: 'Po',
  Separator: 'Z',
  Space_Separator: 'Zs',
  Line_Separator: 'Zl',
  Paragraph_Separator: 'Zp',
  Other: 'C',
  Control: 'Cc',
  Format: 'Cf',
  Surrogate: 'Cs',
  Private_Use: 'Co',
};

const TOKEN =
  /\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|\\([pP])\{([^}]*)\}|\\(.)|\(\?(?:[=!]|P?<[a-zA-Z_$])|\[\^?\]?|\]|\./gsu;

/** The pattern as RE2 writes it. Throws a PatternProblem for what RE2 cannot say. */
export function ecmaToRe2(source: string): string {
  let inClass = false;
  return source.replace(TOKEN, (token, high?: string, low?: string, p?: string, property?: string, escaped?: string) => {
    if (high !== undefined && low !== undefined) return `\\x{${pairCodePoint(high, low).toString(16)}}`;
    if (p !== undefined && property !== undefined) return `\\${p}{${propertyName(property)}}`;
    if (escaped !== undefined) return escapeToRe2(token, escaped, inClass);
    if (token.startsWith('[')) {
      // Inside a class it is an ordinary character, and RE2 would read [:alpha:] as a class of its own.
      if (inClass) {
        inClass = !token.endsWith(']');
        return `\\${token}`;
      }
      if (token === '[]') return '[^\\x{0}-\\x{10ffff}]';
      if (token === '[^]') return '[\\x{0}-\\x{10ffff}]';
      inClass = true;
    } else if (token === ']') inClass = false;
    else if (inClass) return token;
    else if (token === '.') return NOT_LINE_END;
    else if (token === '(?=' || token === '(?!') throw new PatternProblem(`it looks ahead, "${token}...)"`);
    else if (token.startsWith('(?<')) return `(?P<${token.slice(3)}`;
    return token;
  });
}

function escapeToRe2(token: string, escaped: string, inClass: boolean): string {
  if (escaped === 's') return inClass ? SPACES : `[${SPACES}]`;
  if (escaped === 'S') return inClass ? NON_SPACES : `[${NON_SPACES}]`;
  if (escaped === 'b' && inClass) return '\\x{8}';
  if (escaped === 'k' || /[1-9]/.test(escaped)) throw new PatternProblem(`it refers back to a group, "${token}"`);
  if (/[a-zA-Z]/.test(escaped) && !/[dDwWBbfnrtvcxupPAzQE]/.test(escaped)) {
    throw new PatternProblem(`"${token}" means nothing in an ECMA-262 pattern`);
  }
  return token;
}

function pairCodePoint(high: string, low: string): number {
  return 0x10000 + (Number.parseInt(high, 16) - 0xd800) * 0x400 + (Number.parseInt(low, 16) - 0xdc00);
}

function propertyName(property: string): string {
  const name = property.replace(/^(?:General_Category|gc|Script|sc|Script_Extensions|scx)=/u, '');
  return (Object.hasOwn(CATEGORIES, name) ? CATEGORIES[name] : undefined) ?? name;
}
