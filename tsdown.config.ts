/**
 * Builds dist: the entries of package.json's `exports`, the command line and the thread's entry, in one build.
 *
 * One build, because the code that a thread's entry and an agent module share must be one copy: a `ToolError` of
 * two copies is two classes. Bundled, because what a process or thread starts with is its weight, and each file
 * adds to it: all that `import 'steerloop'` loads is one chunk, and each provider SDK one that waits for its first use.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'tsdown';
import { bundledLicences } from './scripts/build/bundled-licences.ts';
import { loadsWith } from './scripts/build/eager-modules.ts';

/**
 * These stay packages of their own: piscina starts a file of its own in each thread, prices are data that users update, and
 * commander, in CommonJS, would bring `require` into what edge platforms load.
 */
const EXTERNAL = ['commander', 'piscina', '@pydantic/genai-prices'];

const loadsWithTheLibrary = loadsWith(fileURLToPath(new URL('./src/runtime/index.ts', import.meta.url)));

export default defineConfig({
  entry: {
    'cli/main': 'src/cli/main.ts',
    'node/index': 'src/node/index.ts',
    'runtime/index': 'src/runtime/index.ts',
    'runtime/prices': 'src/runtime/prices.ts',
    'runtime/testing/index': 'src/runtime/testing/index.ts',
    'worker/entry': 'src/worker/entry.ts',
    'worker/index': 'src/worker/index.ts',
  },
  format: 'esm',
  // Nothing is assumed of the platform, so that what edge platforms load holds no Node module that it does not import itself.
  platform: 'neutral',
  target: 'node20.19',
  dts: true,
  fixedExtension: false,
  failOnWarn: true,
  publint: { strict: true },
  deps: {
    neverBundle: [...EXTERNAL, /^node:/],
    // Types stay imports: a schema that a caller makes with valibot must have the very types that ours have.
    alwaysBundle: (id, importer) => !EXTERNAL.includes(id) && !importer?.endsWith('.d.ts'),
    onlyBundle: false,
  },
  plugins: [bundledLicences('THIRD-PARTY-LICENCES.txt')],
  inputOptions: {
    checks: { pluginTimings: false },
    // The browser map of the Anthropic SDK leaves its Node parts out, so that the chunk runs at the edge as well.
    resolve: { aliasFields: [['browser']], mainFields: ['module', 'main'] },
  },
  outputOptions: {
    // JSDoc is for the declarations.
    comments: { legal: true, annotation: true, jsdoc: false },
    codeSplitting: { groups: [{ name: (id, graph) => (loadsWithTheLibrary(id, graph) ? 'runtime' : null) }] },
    // `new URL('./entry.js', import.meta.url)` must still find the thread's entry from the chunk it ends up in.
    chunkFileNames: (chunk) => (chunk.moduleIds.some((id) => id.includes('/src/worker/')) ? 'worker/[name].js' : 'shared/[name].js'),
  },
});
