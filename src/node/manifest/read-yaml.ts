/**
 * Reads the YAML of a manifest: one document, core schema of YAML 1.2, nothing that older YAML or a tag would
 * read differently. What the parser complains about gets a place and a word on what to do.
 */
import { type Document, parseAllDocuments, type YAMLError } from 'yaml';
import type { ManifestProblems } from './manifest-problems.ts';
import { buildYamlTree, placeAt, type YamlNode } from './yaml-tree.ts';

const TOP = { start: 0, path: [] };

/** Most characters of a manifest; the parser never sees more. */
const MOST_CHARACTERS = 1_048_576;

/** The tree of a manifest's text, or undefined when it is not fit to be read further; then `problems` has the reason. */
export function readYaml(text: string, problems: ManifestProblems): YamlNode | undefined {
  if (text.length > MOST_CHARACTERS) {
    problems.add(TOP, `the file is larger than ${MOST_CHARACTERS} characters; is it a manifest?`);
    return undefined;
  }
  const documents = parseAllDocuments(text, {
    version: '1.2',
    schema: 'core',
    merge: false,
    intAsBigInt: true,
    uniqueKeys: true,
    prettyErrors: false,
    logLevel: 'silent',
    lineCounter: problems.lines,
  });
  const [document, second] = 'empty' in documents ? [] : documents;
  const tree = document && buildYamlTree(document, text, problems);
  if (tree !== undefined) nameTools(tree, problems);
  if (problems.count > 0) return undefined;
  if (document === undefined || tree === undefined || isEmpty(tree, document)) {
    problems.add(TOP, 'the file is empty; it needs a list named tools');
    return undefined;
  }
  if (second !== undefined)
    problems.add({ start: second.range[0], path: [] }, 'a second document begins here; keep one and remove the ---');
  const sound = checkVersion(document, problems) && noteSyntaxErrors(document, text, tree, problems) && second === undefined;
  return sound ? tree : undefined;
}

function isEmpty(tree: YamlNode, document: Document.Parsed): boolean {
  return tree.kind === 'scalar' && tree.value === null && document.errors.length === 0;
}

function checkVersion(document: Document.Parsed, problems: ManifestProblems): boolean {
  const { explicit, version } = document.directives.yaml;
  if (explicit !== true || version === '1.2') return true;
  problems.add(TOP, `%YAML ${version} reads words such as no and 010 differently; remove the line, manifests are YAML 1.2`);
  return false;
}

/** Says whether the tree can be read on: behind a duplicate key it can, behind anything else it is guesswork. */
function noteSyntaxErrors(document: Document.Parsed, text: string, tree: YamlNode, problems: ManifestProblems): boolean {
  const errors = [...document.errors, ...document.warnings];
  for (const error of errors) {
    const [offset] = error.pos;
    const { path } = placeAt(tree, offset);
    // What is broken looks deeper than it is: no deeper than one element of a list.
    problems.add(
      { start: offset, path: error.code === 'DUPLICATE_KEY' ? path : path.slice(0, 4) },
      explain(error, lineAround(text, offset)),
    );
  }
  return errors.every(({ code }) => code === 'DUPLICATE_KEY');
}

/** Lets every message name its tool, whatever else is wrong with it. */
function nameTools(tree: YamlNode, problems: ManifestProblems): void {
  const tools = tree.kind === 'map' ? tree.entries.find((entry) => entry.key === 'tools')?.node : undefined;
  if (tools?.kind !== 'list') return;
  for (const [index, tool] of tools.items.entries()) {
    const name = tool.kind === 'map' ? tool.entries.find((entry) => entry.key === 'name')?.node : undefined;
    if (name?.kind === 'scalar' && typeof name.value === 'string') problems.nameTool(index, name.value);
  }
}

function explain(error: YAMLError, line: string): string {
  switch (error.code) {
    case 'TAB_AS_INDENT':
      return 'a tab cannot indent YAML; use spaces';
    case 'DUPLICATE_KEY':
      return 'this key stands twice in its map; remove one';
    case 'TAG_RESOLVE_FAILED':
      return `${error.message}; a manifest needs no tags, remove it`;
    case 'BAD_SCALAR_START':
      return `${error.message}; quote the value`;
    default: {
      const hint = line.includes('{{') ? 'quote every element that holds a placeholder, as in "{{.name}}"' : 'correct the YAML here';
      return `${error.message}; ${hint}`;
    }
  }
}

function lineAround(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', offset);
  return text.slice(start, end === -1 ? undefined : end);
}
