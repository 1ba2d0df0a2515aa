/**
 * Stop rules: what makes a run count as finished, and what each rule tells the model about it.
 */
import type { StopRule } from './schema/config.ts';
import type { ToolDefinition } from './schema/tool-definition.ts';

/** Name of the tool that ends a run under the rule `finish_tool`. */
export const FINISH_TOOL_NAME = 'finish';

/** The finish tool as the model sees it: one text, `result`. */
export const FINISH_TOOL: ToolDefinition = {
  name: FINISH_TOOL_NAME,
  description: 'Ends the work. Call it once, when everything is done, with the complete final answer.',
  input_schema: {
    type: 'object',
    properties: { result: { type: 'string', description: 'The complete final answer.' } },
    required: ['result'],
    additionalProperties: false,
  },
  effect: 'read',
  interruptible: false,
};

/** What a text-only reply is answered under `finish_tool`. */
export const FINISH_REMINDER = `Your last reply called no tool. Go on with the work, or call the tool \`${FINISH_TOOL_NAME}\` with the final answer if it is done.`;

/** How many text-only replies in a row end a `finish_tool` run. */
export const FINISH_TEXT_REPLIES = 3;

const INSTRUCTIONS: Record<StopRule, string> = {
  text: 'Use tools as long as they help. When the work is done, reply with the final answer and call no tool in that reply.',
  finish_tool: `When the work is done, call the tool \`${FINISH_TOOL_NAME}\` with the complete final answer. A reply without a tool call does not end the work.`,
  manual: 'After each of your replies without a tool call a person reads it and may write again.',
};

/** What a rule adds to the system prompt. */
export function stopInstructions(rule: StopRule): string {
  return INSTRUCTIONS[rule];
}
