/** Imports every subpath of the installed package and says how many names each exports. */
import { createRequire } from 'node:module';

const { exports: subpaths } = createRequire(import.meta.url)('steerloop/package.json');
const counts = {};
for (const subpath of Object.keys(subpaths).filter((path) => !path.endsWith('.json'))) {
  const names = Object.keys(await import(`steerloop${subpath.slice(1)}`));
  if (names.length === 0) throw new Error(`${subpath} exports nothing`);
  counts[subpath] = names.length;
}
console.log(JSON.stringify(counts));
