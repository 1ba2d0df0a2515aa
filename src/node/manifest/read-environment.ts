/**
 * The `env` of a tool, in three forms: `inherit`; a list of `NAME` (passed on when it is set) and `NAME=value`
 * (set); a map of `NAME: value` (set) and `NAME:` without a value (passed on).
 */
import type { EnvironmentRule } from './manifest.ts';
import type { ManifestProblems, Place } from './manifest-problems.ts';
import { readWord, shown } from './read-values.ts';
import type { YamlNode } from './yaml-tree.ts';

const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** One variable: passed on when it has no value of its own. */
interface Variable {
  readonly name: string;
  readonly value?: string;
}

/** Which variables a tool gets beside the allowlist; none when the key is left out. */
export function readEnvironment(node: YamlNode | undefined, problems: ManifestProblems): EnvironmentRule {
  if (node === undefined) return ruleOf([]);
  switch (node.kind) {
    case 'list':
      return ruleOf(node.items.flatMap((item) => readListed(item, problems) ?? []));
    case 'map':
      return ruleOf(node.entries.flatMap(({ key, at, node: value }) => readMapped(key, at, value, problems) ?? []));
    case 'scalar':
      if (node.value === 'inherit') return { kind: 'inherit' };
      problems.add(node, `expected inherit, a list of names, or a map of names and values, not ${shown(node)}`);
      return ruleOf([]);
  }
}

function ruleOf(variables: readonly Variable[]): EnvironmentRule {
  return {
    kind: 'allowlist',
    pass: variables.flatMap(({ name, value }) => (value === undefined ? [name] : [])),
    set: Object.fromEntries(variables.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]))),
  };
}

function readListed(node: YamlNode, problems: ManifestProblems): Variable | undefined {
  const text = readWord(node, problems);
  if (text === undefined) return undefined;
  const equals = text.indexOf('=');
  const variable = equals === -1 ? { name: text } : { name: text.slice(0, equals), value: text.slice(equals + 1) };
  return checked(variable, node, problems);
}

function readMapped(name: string, at: Place, node: YamlNode, problems: ManifestProblems): Variable | undefined {
  if (node.kind === 'scalar' && node.value === null) return checked({ name }, at, problems);
  const value = readWord(node, problems);
  return value === undefined ? undefined : checked({ name, value }, at, problems);
}

function checked(variable: Variable, at: Place, problems: ManifestProblems): Variable | undefined {
  if (!VARIABLE_NAME.test(variable.name))
    problems.add(at, `${JSON.stringify(variable.name.slice(0, 60))} is no name of a variable; use letters, digits and _`);
  else if (variable.value?.includes('\0')) problems.add(at, 'a variable cannot hold a NUL character; remove it');
  else if (variable.value?.includes('{{.')) problems.add(at, 'placeholders stand in command only; write a fixed value');
  else return variable;
  return undefined;
}
