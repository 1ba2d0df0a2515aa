/**
 * The borders between the folders of src, as AGENTS.md draws them. Run by test/borders/dependencies.test.ts,
 * which also plants a violation of each rule to see it fail.
 */
const PORTABLE = '^src/(runtime|edge)/';
const LAZY_PACKAGES = 'node_modules/(@anthropic-ai/sdk|openai|re2js|@cfworker/json-schema|@pydantic/genai-prices)/';
const PORTABLE_PACKAGES =
  'node_modules/(valibot|@valibot/to-json-schema|@cfworker/json-schema|re2js|@anthropic-ai/sdk|openai|@pydantic/genai-prices|hono)/';

/** Their code is inlined in dist (see tsdown.config.ts), so that nobody has to install them. */
const INLINED_PACKAGES = 'node_modules/(@anthropic-ai/sdk|openai|@cfworker/json-schema|@valibot/to-json-schema|re2js|yaml)/';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'runtime-knows-runtime-only',
      severity: 'error',
      from: { path: '^src/runtime/' },
      to: { path: '^src/', pathNot: '^src/runtime/' },
    },
    {
      name: 'node-knows-runtime-only',
      severity: 'error',
      from: { path: '^src/node/' },
      to: { path: '^src/', pathNot: '^src/(node|runtime)/' },
    },
    {
      name: 'worker-knows-node-and-runtime-only',
      severity: 'error',
      from: { path: '^src/worker/' },
      to: { path: '^src/', pathNot: '^src/(worker|node|runtime)/' },
    },
    {
      name: 'edge-knows-runtime-only',
      severity: 'error',
      from: { path: '^src/edge/' },
      to: { path: '^src/', pathNot: '^src/(edge|runtime)/' },
    },
    {
      name: 'portable-code-uses-no-node-module',
      severity: 'error',
      from: { path: PORTABLE },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'portable-code-uses-portable-packages',
      severity: 'error',
      from: { path: PORTABLE },
      to: { path: 'node_modules/', pathNot: PORTABLE_PACKAGES },
    },
    {
      name: 'heavy-packages-load-lazily',
      comment: 'Only the prices subpath, which nothing else imports, may load its library at once.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/runtime/prices\\.ts$' },
      to: { path: LAZY_PACKAGES, dynamic: false, dependencyTypesNot: ['type-only', 'type-import'] },
    },
    {
      name: 'prices-load-lazily',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^src/runtime/prices\\.ts$', dynamic: false, dependencyTypesNot: ['type-only', 'type-import'] },
    },
    {
      name: 'testing-is-not-part-of-the-runtime',
      severity: 'error',
      from: { path: '^src/runtime/', pathNot: '^src/runtime/testing/' },
      to: { path: '^src/runtime/testing/' },
    },
    {
      name: 'shipped-code-uses-shipped-packages',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], pathNot: INLINED_PACKAGES },
    },
    {
      name: 'shipped-code-stands-alone',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|examples|bench|scripts)/' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'every-import-resolves',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    detectJSDocImports: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.mjs', '.js', '.json'],
    },
  },
};
