/**
 * Template: one element of a command with its placeholders found. The form is `{{.name}}`; blanks inside the
 * braces mean nothing. `{{` followed by anything that is not a name is plain text, so that a program's own
 * `{{json .}}` can be written; what merely looks like a misspelt placeholder is refused.
 */

/** A piece of an element: text of the manifest, or the place of a parameter's value. */
export type TemplatePart = string | { readonly parameter: string };

/** One element of a command. */
export interface Template {
  /** As it was written. */
  readonly source: string;
  readonly parts: readonly TemplatePart[];
}

/** A parsed template, or what is wrong with it. */
export type TemplateResult = { readonly ok: true; readonly template: Template } | { readonly ok: false; readonly problem: string };

/** What a parameter may be called: what providers accept and what can stand in a placeholder. */
export const PARAMETER_NAME = /^[A-Za-z0-9_-]{1,64}$/;

const PLACEHOLDER = /\{\{ *\.([A-Za-z0-9_-]{1,64}) *\}\}/y;
const NEARLY_A_PLACEHOLDER = /\{\{ *(?:\.[^{}]*\}{0,2}|[A-Za-z0-9_-]+ *\}\})/y;

/** Finds the placeholders of one element. Never throws. */
export function parseTemplate(source: string): TemplateResult {
  const parts: TemplatePart[] = [];
  let rest = 0;
  for (let at = source.indexOf('{{'); at !== -1; at = source.indexOf('{{', at)) {
    const found = matchAt(PLACEHOLDER, source, at);
    if (found === undefined) {
      const nearly = matchAt(NEARLY_A_PLACEHOLDER, source, at);
      if (nearly !== undefined) return { ok: false, problem: `${nearly[0]} is no placeholder; write ${corrected(nearly[0])}` };
      at += 1;
      continue;
    }
    if (at > rest) parts.push(source.slice(rest, at));
    parts.push({ parameter: found[1] ?? '' });
    rest = at + found[0].length;
    at = rest;
  }
  if (rest < source.length) parts.push(source.slice(rest));
  return { ok: true, template: { source, parts } };
}

/** Names of the parameters in a template, in order of appearance, each once. */
export function parametersOf(template: Template): readonly string[] {
  return [...new Set(template.parts.flatMap((part) => (typeof part === 'string' ? [] : [part.parameter])))];
}

/** How the placeholder should have been written. */
export function corrected(text: string): string {
  const name = text.replace(/[^A-Za-z0-9_-]/g, '');
  return `{{.${name === '' ? 'name' : name}}}`;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}
