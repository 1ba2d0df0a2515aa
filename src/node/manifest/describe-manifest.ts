/** A manifest as a page for a person: what each tool would run, under which limits, and what it gets to see. */
import { ALLOWED_VARIABLES, RUNTIME_KEYS } from '../command/command-environment.ts';
import { quoteArgv } from '../command/quote-argv.ts';
import { formatDuration } from './duration.ts';
import type { EnvironmentRule, Manifest, ManifestTool } from './manifest.ts';
import { declaredParameters, parameterSchema } from './read-parameters.ts';
import { parametersOf } from './template.ts';

/** What `steerloop tools check` prints: plain text, one block a tool, ending in a newline. */
export function describeManifest(manifest: Manifest): string {
  const { path, tools } = manifest;
  const blocks = tools.map((tool) => [tool.name, ...factsOf(tool).map(([label, fact]) => `  ${`${label}:`.padEnd(13)}${fact}`)].join('\n'));
  return `${[`${path}: ${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`, ...blocks].join('\n\n')}\n`;
}

function factsOf(tool: ManifestTool): readonly (readonly [label: string, fact: string])[] {
  return [
    ['about', tool.description.trim().replace(/\s+/g, ' ')],
    ['runs', quoteArgv(tool.command.map(({ source }) => source))],
    ['in', tool.cwd ?? 'the current directory'],
    ['parameters', describeParameters(tool)],
    ['effect', `${tool.effect}${tool.interruptible ? ', interruptible' : ''}`],
    ['confirm', tool.confirm ? 'each call is denied: this version cannot ask for consent; --skip-confirm runs it without' : 'no'],
    ['limits', `${formatDuration(tool.timeoutMs)}, ${tool.maxOutputBytes} bytes of output`],
    ['success', `exit code ${tool.okExitCodes.join(', ')}`],
    ['flags', tool.allowFlagValues ? 'a value may begin with "-"' : 'a value that begins with "-" is refused'],
    ['environment', describeEnvironment(tool.env)],
  ];
}

function describeParameters(tool: ManifestTool): string {
  const required = tool.parameters['required'];
  const used = new Set(tool.command.flatMap(parametersOf));
  const described = declaredParameters(tool.parameters).map((name) => {
    const schema = parameterSchema(tool.parameters, name);
    const notes = [
      typeof schema?.['type'] === 'string' ? schema['type'] : 'any',
      Array.isArray(required) && required.includes(name) ? 'required' : 'optional',
      ...(schema !== undefined && Object.hasOwn(schema, 'default') ? [`default ${JSON.stringify(schema['default'])}`] : []),
      ...(used.has(name) ? [] : ['not used by the command']),
    ];
    return `${name} (${notes.join(', ')})`;
  });
  return described.join(', ') || 'none';
}

function describeEnvironment(rule: EnvironmentRule): string {
  if (rule.kind === 'inherit') return `everything but ${RUNTIME_KEYS.join(' ')}`;
  // Names only: a value may be a secret.
  const set = Object.keys(rule.set).map((name) => `${name} (set here)`);
  return [...ALLOWED_VARIABLES, ...rule.pass, ...set].join(' ');
}
