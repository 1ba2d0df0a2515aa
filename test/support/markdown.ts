/** Reads a page of documentation as far as tests compare it with the code: code blocks, tables, links, headings. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the repository. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A fenced block of code. */
export interface CodeBlock {
  readonly language: string;
  readonly text: string;
  /** What the HTML comment right above it says: the file, or `file#region`, that the text is taken from. */
  readonly source: string | undefined;
}

/** Text of a file, by its path from the root. */
export function textOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** The code blocks of a page, in order. */
export function codeBlocks(page: string): CodeBlock[] {
  const blocks = page.matchAll(/^(?:<!-- (?<source>\S+) -->\n)?```(?<language>\w+)\n(?<text>.*?)^```$/gms);
  return [...blocks].map(({ groups = {} }) => ({
    language: groups['language'] ?? '',
    text: groups['text'] ?? '',
    source: groups['source'],
  }));
}

/** A page without its code blocks. */
export function prose(page: string): string {
  return page.replaceAll(/^```.*?^```$/gms, '');
}

/** What a code block is taken from: a whole file, or the lines between `// #region name` and `// #endregion`, indentation kept. */
export function sourceText(source: string): string {
  const [path = '', region] = source.split('#');
  const text = textOf(path);
  if (region === undefined) return text;
  const found = new RegExp(`^// #region ${region}\\n(.*?)^// #endregion$`, 'ms').exec(text)?.[1];
  if (found === undefined) throw new Error(`${path} has no region ${region}`);
  return found;
}

/** Rows of the one table whose first header cell is `head`, cells trimmed; throws unless there is exactly one. */
export function table(page: string, head: string): string[][] {
  const tables = [...page.matchAll(/(?:^\|.*\n?)+/gm)]
    .map(([text]) => text.trim().split('\n').map(cellsOf))
    .filter(([header]) => header?.[0] === head);
  const [only, ...others] = tables;
  if (only === undefined || others.length > 0) throw new Error(`expected one table of ${head}, found ${tables.length}`);
  return only.slice(2);
}

/** The words in backticks of a text. */
export function codeWords(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
}

/** The first cells of a table, each without its backticks; a cell may hold several words. */
export function firstWords(rows: readonly (readonly string[])[]): string[] {
  return rows.flatMap(([first = '']) => codeWords(first));
}

/** Targets of the links of a page that lead into the repository. */
export function localLinks(page: string): string[] {
  return [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target).filter((target) => !/^[a-z]+:/.test(target));
}

/** Anchors of the headings of a page, as renderers make them. */
export function anchors(page: string): string[] {
  return [...prose(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

function cellsOf(line: string): string[] {
  // A bar inside a cell is written `\|`.
  const cells = line.split(/(?<!\\)\|/).slice(1, -1);
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|'));
}
