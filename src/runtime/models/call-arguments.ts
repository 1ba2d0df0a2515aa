/**
 * The arguments of a streamed tool call, from the text as the model wrote it. Nothing is repaired: what does not
 * parse to an object stays a text, so that a call that was cut can never look whole (L3).
 */
import { isJsonObject, isTooDeep, type JsonObject, parseJson } from '../schema/json.ts';

/** Arguments as a `tool_use` block holds them. */
export interface CallArguments {
  readonly arguments: JsonObject;
  /** The text that came, where it is no JSON object, or one that is nested too deep. */
  readonly arguments_text?: string;
}

/** Parses the whole text of a call's arguments. No text at all means no arguments. Never throws. */
export function parseCallArguments(text: string): CallArguments {
  if (text.trim() === '') return { arguments: {} };
  const value = parseJson(text);
  return isJsonObject(value) && !isTooDeep(value) ? { arguments: value } : { arguments: {}, arguments_text: text };
}
