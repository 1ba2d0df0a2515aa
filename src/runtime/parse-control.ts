/** Parsing of a control at any border: typed at a terminal, read from a file, POSTed or posted to a thread. */
import * as v from 'valibot';
import { type Control, controlSchema } from './schema/control.ts';

/** A control, or why it is none, as a sentence for whoever sent it; `id` is its own where it has one. */
export type ParsedControl =
  | { readonly ok: true; readonly control: Control }
  | { readonly ok: false; readonly id: string | undefined; readonly message: string };

/** Parses a control. Never throws. */
export function parseControl(input: unknown): ParsedControl {
  const parsed = v.safeParse(controlSchema, input);
  if (parsed.success) return { ok: true, control: parsed.output };
  const [issue] = parsed.issues;
  const place = v.getDotPath(issue);
  return { ok: false, id: idOf(input), message: `The control is not valid${place === null ? '' : ` at ${place}`}: ${issue.message}.` };
}

function idOf(input: unknown): string | undefined {
  return typeof input === 'object' && input !== null && 'id' in input && typeof input.id === 'string' ? input.id : undefined;
}
