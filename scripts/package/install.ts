/** Packs the project, installs what was packed as a user would, and gets other versions of Node. */
import { execFile } from 'node:child_process';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Root of the repository. */
export const ROOT: string = fileURLToPath(new URL('../../', import.meta.url));
const CONSUMER = fileURLToPath(new URL('./consumer/', import.meta.url));

/** A version of Node to run programs with. */
export interface Node {
  readonly version: string;
  /** Environment in which `node` is this one. */
  readonly env: NodeJS.ProcessEnv;
}

/** What a program printed. */
export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end with stdin closed; rejects, with all that it printed, when it does not exit with 0. */
export async function runProgram(
  command: string,
  args: readonly string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<Printed> {
  const running = promisify(execFile)(command, args, { ...options, maxBuffer: 64 * 1024 * 1024 });
  running.child.stdin?.end();
  try {
    return await running;
  } catch (error) {
    const { stdout, stderr } = error as Partial<Printed>;
    throw new Error(`${command} ${args.join(' ')} failed: ${String(error)}\n${stdout ?? ''}${stderr ?? ''}`, { cause: error });
  }
}

/** Builds and packs the project into `folder`; returns the path of the tarball. */
export async function packProject(folder: string): Promise<string> {
  const { stdout } = await runProgram('npm', ['pack', '--json', '--pack-destination', folder], { cwd: ROOT });
  // The build of `prepack` prints to the same stream, in front of the report.
  const report = JSON.parse(stdout.slice(stdout.indexOf('[\n'))) as [{ filename: string }];
  return join(folder, report[0].filename);
}

/** Installs the tarball into a new folder beside the programs that use it; returns that folder. */
export async function installPackage(folder: string, tarball: string): Promise<string> {
  const consumer = join(folder, 'consumer');
  await cp(CONSUMER, consumer, { recursive: true });
  await writeFile(join(consumer, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  await runProgram('npm', ['install', '--no-audit', '--no-fund', tarball], { cwd: consumer });
  return consumer;
}

/** The running Node where its major version is the one, else that version from the registry's `node` package. */
export async function prepareNode(folder: string, major: string): Promise<Node> {
  if (process.versions.node.startsWith(`${major}.`)) return nodeAt(dirname(process.execPath));
  const home = join(folder, `node-${major}`);
  await mkdir(home);
  await writeFile(join(home, 'package.json'), JSON.stringify({ private: true, allowScripts: { node: true } }));
  await runProgram('npm', ['install', '--no-audit', '--no-fund', `node@${major}`], { cwd: home });
  return nodeAt(join(home, 'node_modules/node/bin'));
}

async function nodeAt(folder: string): Promise<Node> {
  const { NODE_OPTIONS: _options, ...rest } = process.env;
  const env = { ...rest, PATH: [folder, process.env['PATH']].join(delimiter) };
  const { stdout } = await runProgram('node', ['--version'], { cwd: folder, env });
  return { version: stdout.trim(), env };
}
