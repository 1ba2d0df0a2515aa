/**
 * The `parameters` of a tool: a JSON Schema of type object. What it declares is exactly what a call may hold,
 * so the schema is closed here, and the model is told the same as the check will say.
 */
import { ConfigError } from '../../runtime/errors.ts';
import { isJsonObject, type JsonObject } from '../../runtime/schema/json.ts';
import { compileSchema } from '../../runtime/tools/json-schema/check-schema.ts';
import type { ManifestProblems, Place } from './manifest-problems.ts';
import { readJson, shown } from './read-values.ts';
import { PARAMETER_NAME } from './template.ts';
import type { YamlMap, YamlNode } from './yaml-tree.ts';

const NO_PARAMETERS: JsonObject = { type: 'object', properties: {}, additionalProperties: false };

/** The schema of a tool's arguments, closed to what it does not declare; one without parameters when the key is left out. */
export async function readParameters(tool: Place, node: YamlNode | undefined, problems: ManifestProblems): Promise<JsonObject> {
  if (node === undefined) return NO_PARAMETERS;
  const before = problems.count;
  const schema = readJson(node, problems);
  if (problems.count > before) return NO_PARAMETERS;
  if (node.kind !== 'map' || !isJsonObject(schema) || schema['type'] !== 'object') {
    problems.add(
      node,
      `parameters must be a JSON Schema with type: object, not ${node.kind === 'map' ? 'one of another type' : shown(node)}`,
    );
    return NO_PARAMETERS;
  }
  checkNames(node, problems);
  const closed = {
    ...schema,
    properties: isJsonObject(schema['properties']) ? schema['properties'] : {},
    additionalProperties: false,
  };
  if (problems.count === before) await checkSchema(closed, { start: node.start, path: tool.path }, problems);
  return closed;
}

/** A schema that cannot be compiled would fail each call: it is refused here, with its place in the schema. */
async function checkSchema(schema: JsonObject, place: Place, problems: ManifestProblems): Promise<void> {
  try {
    await compileSchema(schema, { subject: 'parameters' });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    problems.add(place, error.message);
  }
}

/** Names of the declared parameters. */
export function declaredParameters(parameters: JsonObject): readonly string[] {
  return Object.keys(isJsonObject(parameters['properties']) ? parameters['properties'] : {});
}

/** The schema of one declared parameter, or undefined. */
export function parameterSchema(parameters: JsonObject, name: string): JsonObject | undefined {
  const properties = parameters['properties'];
  const schema = isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return isJsonObject(schema) ? schema : undefined;
}

function checkNames(schema: YamlMap, problems: ManifestProblems): void {
  const fields = new Map(schema.entries.map(({ key, node }) => [key, node]));
  const properties = fields.get('properties');
  if (properties !== undefined && properties.kind !== 'map')
    problems.add(properties, `expected a map of parameters, not ${shown(properties)}`);
  const declared = properties?.kind === 'map' ? properties.entries : [];
  for (const { key, at } of declared) {
    if (!PARAMETER_NAME.test(key)) problems.add(at, 'a parameter is named with 1 to 64 letters, digits, _ or -; rename it');
  }
  const required = fields.get('required');
  const names = new Set(declared.map(({ key }) => key));
  for (const item of required?.kind === 'list' ? required.items : []) {
    if (item.kind === 'scalar' && !names.has(String(item.value)))
      problems.add(item, `${shown(item)} is required but not declared; add it under properties`);
  }
}
