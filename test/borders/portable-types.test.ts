/**
 * The core type checks without Node's types, and uses no global that one of the edge runtimes lacks. Each of the
 * two checks is also run on code that breaks it.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const RUNTIME = join(ROOT, 'src/runtime');

/** Compiler output for a project; empty when it type checks. */
function compile(project: string): Promise<string> {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  return new Promise((resolve) => {
    execFile(process.execPath, [tsc, '-p', project, '--pretty', 'false'], { cwd: ROOT }, (error, stdout, stderr) => {
      resolve(error === null ? '' : `${stdout}${stderr}`);
    });
  });
}

describe('the types of the core', () => {
  it('need nothing of Node', { timeout: 60_000 }, async () => {
    expect(await compile(RUNTIME)).toBe('');
  });

  it('refuse what Node alone has', { timeout: 60_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'steerloop-types-'));
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ extends: join(RUNTIME, 'tsconfig.json'), include: ['.'] }));
    const lines = ['process.cwd();', 'Buffer.alloc(1);', 'setImmediate(() => {});', "import('node:fs');", 'Promise.withResolvers();'];
    await writeFile(join(folder, 'planted.ts'), [...lines, 'export {};'].join('\n'));
    const output = await compile(folder);
    await rm(folder, { recursive: true });

    for (const [index] of lines.entries()) expect(output).toContain(`planted.ts(${index + 1},`);
  });
});

/** Globals that Node has and an edge runtime lacks, in spite of the types. */
const MISSING_GLOBALS = new Set([
  'process',
  'Buffer',
  'CustomEvent',
  'MessageChannel',
  'BroadcastChannel',
  'setImmediate',
  'XMLHttpRequest',
]);
const MISSING_MEMBERS = new Set(['AbortSignal.any', 'Promise.withResolvers', 'Array.fromAsync', 'Promise.try']);

/** Where a source text uses one of them: `file:line name`. A property or key of the same name is none. */
function missingNames(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const name = missingName(node);
    if (name !== undefined) found.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${name}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function missingName(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node) && MISSING_MEMBERS.has(node.getText())) return node.getText();
  if (!ts.isIdentifier(node) || !MISSING_GLOBALS.has(node.text)) return undefined;
  const { parent } = node;
  const isMember = ts.isPropertyAccessExpression(parent) && parent.name === node && parent.expression.getText() !== 'globalThis';
  const isKey =
    (ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent) || ts.isMethodDeclaration(parent)) && parent.name === node;
  return isMember || isKey ? undefined : node.text;
}

describe('the globals of the core', () => {
  it('are ones that every runtime has', async () => {
    const files = (await readdir(RUNTIME, { recursive: true })).filter((file) => file.endsWith('.ts'));
    const found = await Promise.all(files.map(async (file) => missingNames(file, await readFile(join(RUNTIME, file), 'utf8'))));

    expect(files.length).toBeGreaterThan(0);
    expect(found.flat()).toEqual([]);
  });

  it.each([
    ['AbortSignal.any([])', 'AbortSignal.any'],
    ['new CustomEvent("x")', 'CustomEvent'],
    ['globalThis.process', 'process'],
    ['const run = () => setImmediate(run)', 'setImmediate'],
  ])('are refused in `%s`', (text, name) => {
    expect(missingNames('planted.ts', text)).toEqual([`planted.ts:1 ${name}`]);
  });

  it('may share a name with a property', () => {
    expect(missingNames('planted.ts', 'child.process; const a = { process: 1 }; interface B { Buffer: string }')).toEqual([]);
  });
});
