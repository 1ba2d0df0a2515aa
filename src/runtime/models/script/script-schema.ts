/**
 * A script: JSON that plays the model, step by step, one step a model call, so that demos and tests run
 * offline and yet really run their tools. This is its shape, and the one place where its keys are documented:
 * `scriptJsonSchema()` carries the descriptions into editors. Strict: an unknown key is refused.
 */
import * as v from 'valibot';
import { errorClassSchema } from '../../schema/error-data.ts';
import { isJsonObject, type JsonValue, jsonObjectSchema } from '../../schema/json.ts';
import { stopReasonSchema } from '../../schema/model-request.ts';
import { findUnknownQuote } from './quotes.ts';

function described<const Schema extends v.GenericSchema>(schema: Schema, description: string) {
  return v.optional(v.pipe(schema, v.description(description)));
}

/** An object without unknown keys, whose errors say which keys there are. */
function strict<const Entries extends v.ObjectEntries>(entries: Entries) {
  return v.strictObject(entries, (issue) => {
    if (issue.expected === 'never') return `unknown key; expected one of ${Object.keys(entries).join(', ')}`;
    if (issue.expected?.startsWith('"')) return 'is missing';
    return `expected an object, got ${issue.received}`;
  });
}

const wholeNumber = v.pipe(v.number(), v.integer('expected a whole number'), v.minValue(0, 'expected 0 or more'));
const filled = v.pipe(v.string(), v.minLength(1, 'expected a text that is not empty'));

function explainQuote(quote: string): string {
  return (
    `"${quote}" quotes nothing; expected {{last_result}}, {{last_user}} or {{result:CALL_ID or TOOL}}, each with .first_line ` +
    `where wanted; for the plain text write "\\\\${quote}" in JSON`
  );
}

function firstUnknownQuote(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return findUnknownQuote(value);
  if (typeof value !== 'object' || value === null) return undefined;
  for (const inner of Object.values(value)) {
    const found = firstUnknownQuote(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

const quotesKnown = v.check<string, (issue: v.CheckIssue<string>) => string>(
  (text) => findUnknownQuote(text) === undefined,
  (issue) => explainQuote(findUnknownQuote(issue.input) ?? ''),
);

const quotingArguments = v.pipe(
  jsonObjectSchema,
  v.check(
    (value) => firstUnknownQuote(value) === undefined,
    (issue) => explainQuote((isJsonObject(issue.input) && firstUnknownQuote(issue.input)) || ''),
  ),
);

/** One call that the scripted model makes. */
export const scriptToolCallSchema = v.pipe(
  strict({
    name: v.pipe(filled, v.description('Name of the tool.')),
    arguments: described(quotingArguments, 'Arguments as an object (default: {}). Quotes in its texts are filled in.'),
    arguments_text: described(
      v.pipe(v.string(), quotesKnown),
      'Arguments as the text that is streamed, valid JSON or not, in place of arguments. Quotes are escaped as within a JSON string.',
    ),
    id: described(v.string(), 'Id of the call (default: call_<model call>_<n>); "" gives none, as some providers do.'),
  }),
  v.check(
    (call) => call.arguments === undefined || call.arguments_text === undefined,
    'has both arguments and arguments_text; expected one of them',
  ),
);

/** What a step says it used; what is left out is reckoned from the texts. */
export const scriptUsageSchema = strict({
  input_tokens: described(wholeNumber, 'Without what the cache served or stored. Default: characters of the request / 4, rounded up.'),
  output_tokens: described(wholeNumber, 'Default: characters of the reply / 4, rounded up.'),
  cache_read_tokens: described(wholeNumber, 'Default: 0.'),
  cache_write_tokens: described(wholeNumber, 'Default: 0.'),
  complete: described(v.boolean(), 'Whether the provider said everything. Default: true.'),
});

/** How a step fails. */
export const scriptErrorSchema = strict({
  class: v.pipe(errorClassSchema, v.description('What kind of failure it is; decides whether the call is made again.')),
  message: described(v.string(), 'Default: a sentence that names the class.'),
  status: described(wholeNumber, 'HTTP status.'),
  retry_after_ms: described(wholeNumber, 'How long the provider asks to wait, in milliseconds.'),
  after: described(
    v.union([wholeNumber, v.literal('all')], 'expected a number of deltas, or "all"'),
    'How many deltas are streamed before the failure, or "all" of them. Default: 0.',
  ),
});

/** What the request of a step must hold; where it does not, the call fails as invalid_request and says why. */
export const scriptExpectationSchema = strict({
  system_contains: described(v.string(), 'A text that the system prompt contains.'),
  last_user_contains: described(v.string(), 'A text that the last user text contains.'),
  last_result_contains: described(v.string(), 'A text that the last tool result contains.'),
  tools_include: described(v.array(filled), 'Names of tools that are offered.'),
});

/** One model call: what the model replies, how fast, or how it fails. A step without anything is a reply with nothing in it. */
export const scriptStepSchema = v.pipe(
  strict({
    text: described(v.pipe(v.string(), quotesKnown), 'Text of the reply. Quotes are filled in.'),
    thinking: described(v.string(), 'Reasoning, in front of the text.'),
    signature: described(v.string(), "The provider's seal on the reasoning."),
    tool_calls: described(v.array(scriptToolCallSchema), 'Tool calls, behind the text.'),
    stop_reason: described(stopReasonSchema, 'Default: tool_use with tool calls, else end_turn.'),
    usage: described(scriptUsageSchema, 'Tokens used; what is left out is reckoned from the texts.'),
    error: described(scriptErrorSchema, 'The call fails in place of a whole reply.'),
    delay_ms: described(wholeNumber, 'Wait before the first delta, in milliseconds.'),
    chunk: described(v.pipe(wholeNumber, v.minValue(1, 'expected 1 or more')), 'Characters a delta. Default: each block is one delta.'),
    chunk_delay_ms: described(wholeNumber, 'Wait between deltas, in milliseconds.'),
    hang: described(
      v.union([v.literal(true), v.picklist(['before', 'after'])], 'expected true, "before" or "after"'),
      'The reply never ends: silent from the start (true, "before"), or from behind the last delta ("after").',
    ),
    cut: described(v.boolean(), 'The stream just ends behind the last delta, as when a connection breaks.'),
    stream: described(v.boolean(), 'false: the reply comes whole and not in deltas.'),
    expect: described(scriptExpectationSchema, 'What the request must hold.'),
  }),
  v.check((step) => step.signature === undefined || step.thinking !== undefined, 'has a signature without thinking; expected both'),
  v.check(
    (step) => [step.error, step.hang, step.cut || undefined].filter((end) => end !== undefined).length < 2,
    'ends in more than one way; expected one of error, hang and cut',
  ),
);

/** A whole script. */
export const scriptSchema = strict({
  $schema: described(v.string(), 'Where the JSON Schema of scripts lies, for editors.'),
  model: described(filled, 'Name under which the model appears. Default: script.'),
  steps: v.pipe(
    v.array(scriptStepSchema),
    v.minLength(1, 'expected at least one step'),
    v.description('What the model does: one step a model call, a call that is made again included. A call behind the last step fails.'),
  ),
});

/** A tool call of a script. */
export type ScriptToolCall = v.InferOutput<typeof scriptToolCallSchema>;
/** Usage as a script says it. */
export type ScriptUsage = v.InferOutput<typeof scriptUsageSchema>;
/** A failure of a script. */
export type ScriptError = v.InferOutput<typeof scriptErrorSchema>;
/** What a script expects of a request. */
export type ScriptExpectation = v.InferOutput<typeof scriptExpectationSchema>;
/** A step of a script. */
export type ScriptStep = v.InferOutput<typeof scriptStepSchema>;
/** A script. */
export type Script = v.InferOutput<typeof scriptSchema>;
