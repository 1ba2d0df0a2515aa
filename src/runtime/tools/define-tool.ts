/**
 * Defines a tool: name, description, input and the function behind it. The input is a valibot schema (then `execute`
 * is typed by it) or a JSON Schema. What is wrong with a definition is thrown where it is written.
 */
import type * as v from 'valibot';
import { ConfigError } from '../errors.ts';
import type { JsonObject } from '../schema/json.ts';
import type { ToolEffect } from '../schema/tool-definition.ts';
import { LEAST_CAP_BYTES } from './cut-text.ts';
import { jsonSchemaInput } from './json-schema-input.ts';
import type { Tool, ToolContext } from './tool.ts';
import { assertToolName, shownName } from './tool-name.ts';
import { isValibotSchema, type ValibotSchema, valibotInput } from './valibot-input.ts';

/** What every definition says, beside input and function. */
export interface ToolTraits {
  /** 1 to 64 letters, digits, `_` or `-`. */
  readonly name: string;
  /** For the model: what the tool does and when to use it. */
  readonly description: string;
  /** What a call does to the world; default `write`, the most careful. */
  readonly effect?: ToolEffect;
  /** Whether an inject `now` may cut a running call; default: `read` tools only. Kept for the journal: this version takes no inject `now`. */
  readonly interruptible?: boolean;
  /** How long a call may take, in milliseconds, 1 or more; default 120 s. */
  readonly timeoutMs?: number;
  /** Most UTF-8 bytes of text in a result, 64 or more; default 64 KiB. */
  readonly resultCapBytes?: number;
  /** Whether each call must be approved; default false. This version can ask nobody: such a call is answered with a denial and not run. */
  readonly confirm?: boolean;
}

/** A tool whose input is a valibot schema. */
export interface ValibotToolSpec<TSchema extends ValibotSchema> extends ToolTraits {
  readonly input: TSchema;
  /** Runs a call. May return anything, also a promise; a throw is an error result. `input` is what the schema made of the arguments. */
  execute(input: v.InferOutput<TSchema>, context: ToolContext): unknown;
}

/** A tool whose input is a JSON Schema of `"type": "object"`. */
export interface JsonSchemaToolSpec<TInput> extends ToolTraits {
  readonly input: Readonly<Record<string, unknown>>;
  /** Runs a call. May return anything, also a promise; a throw is an error result. `input` is the arguments, which fit the schema. */
  execute(input: TInput, context: ToolContext): unknown;
}

const KEYS: ReadonlySet<string> = new Set<keyof ValibotToolSpec<ValibotSchema>>([
  'name',
  'description',
  'input',
  'effect',
  'interruptible',
  'timeoutMs',
  'resultCapBytes',
  'confirm',
  'execute',
]);
const EFFECTS: readonly unknown[] = ['read', 'idempotent', 'write'] satisfies ToolEffect[];

/**
 * Makes a tool. Throws a ConfigError that names the tool, what was expected and what to do. A pattern in a JSON Schema
 * that the engine refuses is found by `tool.prepare()`, since the engine is loaded only then.
 */
export function defineTool<TSchema extends ValibotSchema>(spec: ValibotToolSpec<TSchema>): Tool;
export function defineTool<TInput = JsonObject>(spec: JsonSchemaToolSpec<TInput>): Tool;
export function defineTool(spec: ValibotToolSpec<ValibotSchema> | JsonSchemaToolSpec<never>): Tool {
  assertToolName(spec.name);
  const subject = `Tool ${shownName(spec.name)}`;
  checkTraits(subject, spec);
  const input = isValibotSchema(spec.input) ? valibotInput(subject, spec.input) : jsonSchemaInput(subject, spec.input);
  const effect = spec.effect ?? 'write';
  return {
    definition: {
      name: spec.name,
      description: spec.description,
      input_schema: input.schema,
      effect,
      interruptible: spec.interruptible ?? effect === 'read',
      ...(spec.confirm !== undefined && { confirm: spec.confirm }),
    },
    ...(spec.timeoutMs !== undefined && { timeoutMs: spec.timeoutMs }),
    ...(spec.resultCapBytes !== undefined && { resultCapBytes: spec.resultCapBytes }),
    ...(input.prepare !== undefined && { prepare: input.prepare }),
    check: input.check,
    // `check` made the value, so it is of the type that the schema says.
    execute: (value, context) => spec.execute(value as never, context),
  };
}

function checkTraits(subject: string, spec: ToolTraits & { execute: unknown }): void {
  for (const key of Object.keys(spec)) {
    if (!KEYS.has(key))
      throw wrong(subject, `unknown key ${shownName(key)}; known are ${[...KEYS].join(', ')}. Remove it or correct its spelling`);
  }
  if (typeof spec.description !== 'string') throw wrong(subject, 'expected a description, a text that tells the model what the tool does');
  if (typeof spec.execute !== 'function') throw wrong(subject, 'expected a function execute(input, context)');
  if (spec.effect !== undefined && !EFFECTS.includes(spec.effect)) throw wrong(subject, `effect: expected one of ${EFFECTS.join(', ')}`);
  for (const key of ['interruptible', 'confirm'] as const) {
    if (spec[key] !== undefined && typeof spec[key] !== 'boolean') throw wrong(subject, `${key}: expected true or false`);
  }
  checkWhole(subject, 'timeoutMs', spec.timeoutMs, 1);
  checkWhole(subject, 'resultCapBytes', spec.resultCapBytes, LEAST_CAP_BYTES);
}

function checkWhole(subject: string, key: string, value: unknown, least: number): void {
  if (value === undefined || (typeof value === 'number' && Number.isSafeInteger(value) && value >= least)) return;
  throw wrong(subject, `${key}: expected a whole number of ${least} or more; leave it out for the default`);
}

function wrong(subject: string, what: string): ConfigError {
  return new ConfigError('bad_tool', `${subject}: ${what}.`);
}
