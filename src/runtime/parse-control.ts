/** Parsing of a control at any border: typed at a terminal, read from a file, POSTed or posted to a thread. */
import * as v from 'valibot';
import { type Control, controlSchema } from './schema/control.ts';

/** A control, or why it is none, as a sentence for whoever sent it; `id` is its own where it has one. */
export type ParsedControl =
  | { readonly ok: true; readonly control: Control }
  | { readonly ok: false; readonly id: string | undefined; readonly message: string };

/** Parses a control. Never throws. */
export function parseControl(input: unknown): ParsedControl {
  const parsed = safeParse(input);
  if (parsed === undefined) return { ok: false, id: undefined, message: 'The control cannot be read; give plain data.' };
  if (parsed.success) return { ok: true, control: parsed.output };
  const [issue] = parsed.issues;
  const place = v.getDotPath(issue);
  return { ok: false, id: idOf(input), message: `The control is not valid${place === null ? '' : ` at ${place}`}: ${issue.message}.` };
}

/** Undefined where a getter of it throws. */
function safeParse(input: unknown): v.SafeParseResult<typeof controlSchema> | undefined {
  try {
    return v.safeParse(controlSchema, input);
  } catch {
    return undefined;
  }
}

function idOf(input: unknown): string | undefined {
  return typeof input === 'object' && input !== null && 'id' in input && typeof input.id === 'string' ? input.id : undefined;
}
