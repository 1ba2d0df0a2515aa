/**
 * From the tree of a manifest to its tools: which keys there are, what each may hold, and what is filled in
 * where one is left out. Goes on after a problem, so that one attempt shows all of them.
 */
import { isToolName } from '../../runtime/tools/tool-name.ts';
import type { ManifestTool } from './manifest.ts';
import { MANIFEST_DEFAULTS } from './manifest.ts';
import type { ManifestProblems } from './manifest-problems.ts';
import { readCommand } from './read-command.ts';
import { readEnvironment } from './read-environment.ts';
import { readParameters } from './read-parameters.ts';
import { type Read, readBoolean, readChoice, readDuration, readFields, readList, readText, readWhole, shown } from './read-values.ts';
import type { YamlMap, YamlNode } from './yaml-tree.ts';

/** The keys of a tool. */
const TOOL_KEYS = [
  'name',
  'description',
  'parameters',
  'command',
  'timeout',
  'confirm',
  'max_output_bytes',
  'cwd',
  'env',
  'effect',
  'interruptible',
  'ok_exit_codes',
  'allow_flag_values',
] as const;

const MOST_OUTPUT_BYTES = 64 * 1_048_576;

const readOkExitCodes = readList(readWhole(0, 255), '[0, 1]');
const readEffect = readChoice(['read', 'idempotent', 'write']);

/** The tools of a manifest. When `problems` has any afterwards, what is returned is not fit for use. */
export async function readTools(root: YamlNode, problems: ManifestProblems): Promise<readonly ManifestTool[]> {
  if (root.kind !== 'map') {
    problems.add(root, `expected a map with the key tools, not ${shown(root)}`);
    return [];
  }
  const tools = readFields(root, ['tools'], problems).get('tools');
  if (tools?.kind !== 'list' || tools.items.length === 0) {
    problems.add(tools ?? root, 'a manifest needs a list named tools with at least one tool');
    return [];
  }
  noteDuplicateNames(tools.items, problems);
  const read = await Promise.all(tools.items.map((item) => readTool(item, problems)));
  return read.filter((tool) => tool !== undefined);
}

async function readTool(node: YamlNode, problems: ManifestProblems): Promise<ManifestTool | undefined> {
  if (node.kind !== 'map') {
    problems.add(node, `a tool is a map with name and command, not ${shown(node)}`);
    return undefined;
  }
  const fields = readFields(node, TOOL_KEYS, problems);
  const optional = <T>(key: (typeof TOOL_KEYS)[number], read: Read<T>): T | undefined => {
    const value = fields.get(key);
    return value === undefined ? undefined : read(value, problems);
  };
  const parameters = await readParameters(node, fields.get('parameters'), problems);
  const command = readCommand(node, fields.get('command'), parameters, problems);
  const effect = optional('effect', readEffect) ?? MANIFEST_DEFAULTS.effect;
  const cwd = optional('cwd', readFixedText);
  return {
    name: readName(node, fields.get('name'), problems) ?? '',
    description: optional('description', readText) ?? `Runs: ${command.map(({ source }) => source).join(' ')}`,
    parameters,
    command,
    timeoutMs: optional('timeout', readDuration) ?? MANIFEST_DEFAULTS.timeoutMs,
    confirm: optional('confirm', readBoolean) ?? MANIFEST_DEFAULTS.confirm,
    maxOutputBytes: optional('max_output_bytes', readWhole(1, MOST_OUTPUT_BYTES)) ?? MANIFEST_DEFAULTS.maxOutputBytes,
    ...(cwd !== undefined && { cwd }),
    env: readEnvironment(fields.get('env'), problems),
    effect,
    interruptible: optional('interruptible', readBoolean) ?? effect === 'read',
    okExitCodes: optional('ok_exit_codes', readOkExitCodes) ?? MANIFEST_DEFAULTS.okExitCodes,
    allowFlagValues: optional('allow_flag_values', readBoolean) ?? MANIFEST_DEFAULTS.allowFlagValues,
  };
}

function readName(tool: YamlMap, node: YamlNode | undefined, problems: ManifestProblems): string | undefined {
  if (node === undefined) {
    problems.add(tool, 'the tool has no name; give it one');
    return undefined;
  }
  const name = readText(node, problems);
  if (name === undefined || isToolName(name)) return name;
  problems.add(node, 'the name must be 1 to 64 letters, digits, _ or -, since providers take no other');
  return undefined;
}

/** A text that is the same for every call. */
const readFixedText: Read<string> = (node, problems) => {
  const text = readText(node, problems);
  if (text === undefined) return undefined;
  if (text === '' || text.includes('\0')) problems.add(node, 'expected the path of a directory');
  if (text.includes('{{.')) problems.add(node, 'placeholders stand in command only; write a fixed path');
  return text;
};

function noteDuplicateNames(tools: readonly YamlNode[], problems: ManifestProblems): void {
  const first = new Map<string, YamlNode>();
  for (const tool of tools) {
    const name = tool.kind === 'map' ? tool.entries.find(({ key }) => key === 'name')?.node : undefined;
    if (name?.kind !== 'scalar' || typeof name.value !== 'string') continue;
    const earlier = first.get(name.value);
    if (earlier === undefined) first.set(name.value, name);
    else problems.add(name, `a tool of this name stands on line ${problems.lineOf(earlier)} already; rename one of them`);
  }
}
