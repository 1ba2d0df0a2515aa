/**
 * A build plugin that writes the licences of the packages whose code is inlined in dist to one file beside it,
 * as those licences ask. It goes by what really is in the chunks; a package without a licence file is named with
 * the licence that its manifest states, and one that states none fails the build.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the plugin reads of an output file; assets have no modules. */
interface OutputFile {
  readonly moduleIds?: readonly string[];
}

/** What the plugin uses of the bundler's context. */
interface PluginContext {
  emitFile(file: { type: 'asset'; fileName: string; source: string }): string;
}

const PACKAGE_FOLDER = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, string | undefined>;
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined && license === undefined) throw new Error(`${name} is inlined in dist but states no licence; leave it external.`);
  return `${name} ${version}\n\n${file === undefined ? license : readFileSync(join(folder, file), 'utf8').trim()}\n`;
}

/** Writes `fileName` into the output folder. */
export function bundledLicences(fileName: string): {
  name: string;
  generateBundle: (this: PluginContext, options: unknown, bundle: Record<string, OutputFile>) => void;
} {
  return {
    name: 'bundled-licences',
    generateBundle(_options, bundle) {
      const ids = Object.values(bundle).flatMap((file) => file.moduleIds ?? []);
      const folders = new Set(ids.flatMap((id) => id.match(PACKAGE_FOLDER)?.[0] ?? []));
      const source = [...folders]
        .toSorted()
        .map(licenceOf)
        .join(`\n${'-'.repeat(80)}\n\n`);
      if (source !== '') this.emitFile({ type: 'asset', fileName, source });
    },
  };
}
