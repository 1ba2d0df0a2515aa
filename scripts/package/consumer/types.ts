/** Type checks against the installed package alone, with the library's own types checked as well. */
import { type Agent, defineAgent, defineTool, type Run, type RunResult, startRun } from 'steerloop';
import { scriptedModel, text } from 'steerloop/testing';
import { createHost } from 'steerloop/worker';
import * as v from 'valibot';

const double = defineTool({
  name: 'double',
  description: 'Doubles a number.',
  input: v.object({ value: v.number() }),
  execute: ({ value }) => {
    const checked: number = value;
    return checked * 2;
  },
});

const agent: Agent = defineAgent({ model: scriptedModel([text('done')]), tools: [double] });
const run: Run = startRun(agent, 'Double something.');
const result: RunResult = await run.result;
const host = createHost();
export const reason: string = result.reason;
export const started = host.start;
