/** `steerloop tools check`: reads a manifest and prints what each of its tools would run. Runs nothing. */
import type { Command } from 'commander';
import { inertText } from '../../node/inert-text.ts';
import { createScreen } from '../terminal/screen.ts';
import type { CommandContext } from './command-context.ts';

const EXAMPLE = `
Example:
  steerloop tools check examples/demo.tools.yaml
`;

/** Adds the command to the program. */
export function addToolsCommand(program: Command, context: CommandContext): void {
  const tools = program.command('tools').description('work with manifests of command tools').addHelpText('after', EXAMPLE);
  tools
    .command('check')
    .description('check a manifest and print what each tool would run')
    .argument('<file>', 'the manifest')
    .addHelpText('after', EXAMPLE)
    .action((file: string) => check(file, context));
}

async function check(file: string, context: CommandContext): Promise<void> {
  // Loaded only now, so that help and mistakes are answered at once.
  const [{ describeManifest }, { loadManifest }] = await Promise.all([
    import('../../node/manifest/describe-manifest.ts'),
    import('../../node/manifest/load-manifest.ts'),
  ]);
  const manifest = await loadManifest(file);
  const screen = createScreen(context);
  screen.answer(inertText(describeManifest(manifest)));
}
