/** The `command` of a tool: a list of a program and its arguments, each with its placeholders. Never a shell line. */
import type { JsonObject } from '../../runtime/schema/json.ts';
import type { ManifestProblems } from './manifest-problems.ts';
import { nearestWord } from './nearest-word.ts';
import { declaredParameters } from './read-parameters.ts';
import { readList, readWord } from './read-values.ts';
import { parametersOf, parseTemplate, type Template } from './template.ts';
import type { YamlMap, YamlNode } from './yaml-tree.ts';

const FORM = '["grep", "-rn", "--", "{{.pattern}}", "."]';

/** The templates of a command; empty when a problem was noted. */
export function readCommand(
  tool: YamlMap,
  node: YamlNode | undefined,
  parameters: JsonObject,
  problems: ManifestProblems,
): readonly Template[] {
  if (node === undefined) {
    problems.add(tool, `the tool has no command; give it a list such as ${FORM}`);
    return [];
  }
  if (node.kind === 'scalar' && typeof node.value === 'string') {
    problems.add(node, `a command is a list of a program and its arguments, never a line for a shell; write ${FORM}`);
    return [];
  }
  const declared = declaredParameters(parameters);
  const elements = readList((item, all) => readElement(item, declared, all), FORM)(node, problems);
  if (elements === undefined || node.kind !== 'list') return [];
  const [program] = elements;
  const [first = node] = node.items;
  if (program?.source === '') problems.add(first, 'the program has no name');
  if (program?.parts.some((part) => typeof part !== 'string')) {
    problems.add(first, 'the program cannot hold a placeholder, since only declared programs run; write its name');
  }
  return elements;
}

function readElement(node: YamlNode, declared: readonly string[], problems: ManifestProblems): Template | undefined {
  const text = readWord(node, problems);
  if (text === undefined) return undefined;
  if (text.includes('\0')) problems.add(node, 'an argument cannot hold a NUL character; remove it');
  const result = parseTemplate(text);
  if (!result.ok) {
    problems.add(node, result.problem);
    return undefined;
  }
  for (const name of parametersOf(result.template)) {
    if (!declared.includes(name)) problems.add(node, `{{.${name}}} stands for no declared parameter; ${adviceFor(name, declared)}`);
  }
  return result.template;
}

function adviceFor(name: string, declared: readonly string[]): string {
  const nearest = nearestWord(name, declared);
  if (nearest !== undefined) return `did you mean {{.${nearest}}}?`;
  return `declare ${name} under parameters.properties${declared.length === 0 ? '' : `, or use one of ${declared.join(', ')}`}`;
}
