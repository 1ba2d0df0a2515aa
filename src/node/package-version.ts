/** The version of this package, as its manifest says. */
import { readFileSync } from 'node:fs';

/** Version of steerloop. The manifest stands two folders up, in the source tree as in the built package. */
export function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const isManifest = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return isManifest ? String(manifest.version) : 'unknown';
}
