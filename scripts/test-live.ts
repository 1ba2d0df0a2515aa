/**
 * `npm run test:live`: the tests that call a real provider, for those who have a key. Does nothing, and says why,
 * unless STEERLOOP_LIVE=1 and STEERLOOP_LIVE_MODEL name what to call; the total then comes from `npm test`.
 */
import process from 'node:process';

const { STEERLOOP_LIVE: live, STEERLOOP_LIVE_MODEL: model } = process.env;

if (live !== '1') {
  console.log('live tests skipped: set STEERLOOP_LIVE=1 to call a real provider (this costs money)');
} else if (model === undefined || model === '') {
  console.error('live tests need a model: set STEERLOOP_LIVE_MODEL, for instance to openai:<model>, and the key of that provider');
  process.exitCode = 2;
} else {
  await import('./test.ts');
}
