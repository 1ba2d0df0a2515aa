/**
 * Fails when something that src exports has no JSDoc, and lists each as `file:line name`. Re-exports take the
 * docstring of what they name. A module that exports nothing and one that is only an index are fine as they are.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import ts from 'typescript';

/** The names that an exported statement declares, without those that JSDoc above it describes. */
function undocumentedNames(statement: ts.Statement): string[] {
  const isExported = ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  if (!isExported && !ts.isExportAssignment(statement)) return [];
  if (ts.getJSDocCommentsAndTags(statement).some((doc) => ts.isJSDoc(doc) && doc.comment !== undefined)) return [];
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map(({ name }) => name.getText());
  const declaration = statement as ts.Statement & { readonly name?: ts.Node };
  return [declaration.name?.getText() ?? 'default'];
}

/** `file:line name` of every undocumented export of a source text. An overload is documented by its first signature. */
function undocumentedExports(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const seen = new Set<string>();
  const found: string[] = [];
  for (const statement of source.statements) {
    const names = undocumentedNames(statement).filter((name) => !seen.has(name));
    const { line } = source.getLineAndCharacterOfPosition(statement.getStart());
    found.push(...names.map((name) => `${file}:${line + 1} ${name}`));
    if (ts.isFunctionDeclaration(statement) && statement.name !== undefined) seen.add(statement.name.text);
  }
  return found;
}

const files = (await readdir('src', { recursive: true })).filter((file) => file.endsWith('.ts')).toSorted();
if (files.length === 0) throw new Error('check-docstrings saw no file under src; run it from the root of the repository.');

const found: string[] = [];
for (const file of files) found.push(...undocumentedExports(join('src', file), await readFile(join('src', file), 'utf8')));
for (const line of found) console.error(`${line} is exported without a docstring`);
console.log(`${files.length} files, ${found.length} exports without a docstring`);
process.exitCode = found.length > 0 ? 1 : 0;
