/**
 * Where a thread's entry is, in dist and in source. In source it is TypeScript, which a thread has to be taught to load:
 * what taught the main thread does not reach it, and tsx itself registers in a thread only when it is told to.
 */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

// One line: a bundler that moved a part of it elsewhere would break it.
const ENTRY = new URL(import.meta.url.endsWith('.ts') ? './entry.ts' : './entry.js', import.meta.url);

/** What a thread is started with. */
export interface ThreadEntry {
  /** URL of the entry. */
  readonly filename: string;
  /** Node options of the thread; undefined: those of the process. */
  readonly execArgv: string[] | undefined;
}

/** The thread's entry, beside this file. */
export function threadEntry(): ThreadEntry {
  return { filename: ENTRY.href, execArgv: ENTRY.pathname.endsWith('.ts') ? ['--import', typescriptLoader()] : undefined };
}

function typescriptLoader(): string {
  const api = createRequire(import.meta.url)
    .resolve('tsx/esm/api')
    .replace(/\.cjs$/, '.mjs');
  return `data:text/javascript,${encodeURIComponent(`import { register } from ${JSON.stringify(pathToFileURL(api).href)}; register();`)}`;
}
