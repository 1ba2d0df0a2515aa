/**
 * From a command with placeholders and the arguments of a call to the argv that runs. Each value goes in once,
 * literally, inside its own element: no value is looked at again, split, or seen by a shell.
 *
 * A value in detail: a text as it is; a number, truth value or object as JSON; a list gives one element for each
 * item (within a longer element, with the text around it, as a shell does with braces); null counts as no value.
 * No value and no default: an element that is only its placeholder is left out, within a longer one it is ''.
 */
import type { JsonObject, JsonValue } from '../../runtime/schema/json.ts';
import type { ManifestTool } from '../manifest/manifest.ts';
import { parameterSchema } from '../manifest/read-parameters.ts';
import { parametersOf, type Template } from '../manifest/template.ts';

/** The argv to run, or what is wrong with the arguments, as a sentence for the model. */
export type Expansion = { readonly argv: readonly string[] } | { readonly problem: string };

/** What of a tool its expansion needs. */
export type Expandable = Pick<ManifestTool, 'command' | 'parameters' | 'allowFlagValues'>;

/** Linux takes 128 KiB for one argument, the NUL behind it included. */
const MOST_ELEMENT_BYTES = 131_071;
/** Linux takes 2 MiB for arguments and environment together unless the stack limit was changed; a pointer for each counts too. */
const MOST_ARGV_BYTES = 2_097_152;
const POINTER_BYTES = 8;
const MOST_ELEMENTS = MOST_ARGV_BYTES / POINTER_BYTES;

/** An element on its way: its text so far, and the parameter whose value it begins with. */
interface Draft {
  readonly text: string;
  readonly lead?: string;
}

/**
 * Fills the placeholders of a tool's command. Gives a problem, before anything is asked or run, where a value
 * would begin an element with `-` and the tool does not allow it, where one holds a NUL, and where the system
 * would not take an element, or all of them, for their length. Never throws.
 */
export function expandCommand(tool: Expandable, args: JsonObject): Expansion {
  const argv: string[] = [];
  let bytes = 0;
  for (const template of tool.command) {
    const drafts = draftsOf(template, tool, args);
    if (drafts === undefined) return { problem: tooMuch(template, 'too many elements') };
    for (const draft of drafts) {
      const elementBytes = Buffer.byteLength(draft.text);
      const problem = problemOf(draft, template, tool, elementBytes);
      if (problem !== undefined) return { problem };
      bytes += elementBytes + 1 + POINTER_BYTES;
      argv.push(draft.text);
    }
    if (bytes > MOST_ARGV_BYTES) return { problem: tooMuch(template, `at least ${bytes} bytes`) };
  }
  return { argv };
}

/** The elements that a template becomes; undefined when they are more than any system takes. */
function draftsOf(template: Template, tool: Expandable, args: JsonObject): readonly Draft[] | undefined {
  const alone = template.parts.length === 1;
  let drafts: readonly Draft[] = [{ text: '' }];
  for (const part of template.parts) {
    if (typeof part === 'string') {
      drafts = drafts.map((draft) => ({ ...draft, text: draft.text + part }));
      continue;
    }
    const texts = textsOf(valueFor(part.parameter, tool.parameters, args)) ?? (alone ? [] : ['']);
    if (drafts.length * texts.length > MOST_ELEMENTS) return undefined;
    drafts = drafts.flatMap((draft) => texts.map((text) => extended(draft, text, part.parameter)));
  }
  return drafts;
}

function extended(draft: Draft, text: string, parameter: string): Draft {
  return draft.text === '' && text !== '' ? { text, lead: parameter } : { ...draft, text: draft.text + text };
}

function valueFor(name: string, parameters: JsonObject, args: JsonObject): JsonValue | undefined {
  const given = Object.hasOwn(args, name) ? args[name] : undefined;
  if (given !== undefined && given !== null) return given;
  const schema = parameterSchema(parameters, name);
  return schema !== undefined && Object.hasOwn(schema, 'default') ? schema['default'] : undefined;
}

function textsOf(value: JsonValue | undefined): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  return Array.isArray(value) ? value.map(textOf) : [textOf(value)];
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function problemOf(draft: Draft, template: Template, tool: Expandable, bytes: number): string | undefined {
  const names = parametersOf(template);
  const where = names.length === 1 ? `parameter "${names[0]}"` : `parameters ${names.map((name) => `"${name}"`).join(', ')}`;
  if (draft.text.includes('\0')) return `${where}: a NUL character cannot be part of an argument; leave it out`;
  if (bytes > MOST_ELEMENT_BYTES) {
    return `${where}: the argument would have ${bytes} bytes, and the limit for one argument is ${MOST_ELEMENT_BYTES} bytes (128 KiB); use less`;
  }
  if (tool.allowFlagValues || !draft.text.startsWith('-') || typeof template.parts[0] === 'string') return undefined;
  const parameter = draft.lead ?? names[0] ?? '';
  const shown = JSON.stringify(draft.text.slice(0, 60));
  return `parameter "${parameter}": the argument ${shown} would begin with "-" and could be taken for an option, which this tool does not allow; use a value that begins with another character`;
}

function tooMuch(template: Template, what: string): string {
  const names = parametersOf(template).join(', ');
  return `the arguments are too long, ${what} up to ${names === '' ? 'here' : names}; the limit for all arguments together is ${MOST_ARGV_BYTES} bytes (2 MiB); use less`;
}
