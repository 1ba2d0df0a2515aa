/**
 * Tests run in processes of their own (`forks`), since they start real threads, children and servers.
 * `npm run test:live` sets STEERLOOP_LIVE and runs the live tests only; `npm test` never does.
 */
import { defineConfig } from 'vitest/config';

const live = process.env['STEERLOOP_LIVE'] === '1';

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    include: live ? ['test/live/**/*.test.ts'] : ['test/**/*.test.ts'],
    exclude: live ? [] : ['test/live/**'],
    setupFiles: ['test/setup/no-leaks.ts'],
    pool: 'forks',
    // Many tests wait for processes of their own, so that a core kept free would be idle.
    maxWorkers: '100%',
    testTimeout: 20_000,
    hookTimeout: 20_000,
    teardownTimeout: 5_000,
    unstubEnvs: true,
    allowOnly: false,
    passWithNoTests: false,
  },
});
