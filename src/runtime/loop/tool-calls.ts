/**
 * The calls of one turn (L1, L3, L6): all are written down before any runs, those that cannot run are answered, `read` calls that
 * follow each other run side by side, every other call is a barrier. In the end each call has exactly one result.
 */
import type { Ending } from '../ending.ts';
import { describeError } from '../errors.ts';
import { DEFAULTS } from '../schema/config.ts';
import { copyJson } from '../schema/json.ts';
import type { ToolUseBlock } from '../schema/message.ts';
import { FINISH_TOOL_NAME } from '../stop-rule.ts';
import { badArgumentsText, brokenArgumentsText, unknownToolText } from '../tools/call-problems.ts';
import type { LoopContext } from './context.ts';
import { executeCall, type PlannedCall, writeNotRun, writeRefusal } from './execute-call.ts';
import type { Turn } from './model-turn.ts';

/** Runs the calls of a turn. Gives the ending of the run where one of them, a limit or a cut brings it. */
export async function runToolCalls(run: LoopContext, turn: Turn): Promise<Ending | undefined> {
  for (const call of turn.calls) writeToolCall(run, call);
  const finishing: ToolUseBlock[] = [];
  const planned: PlannedCall[] = [];
  let ending: Ending | undefined;
  for (const call of turn.calls) {
    if (turn.cutCallIds.includes(call.call_id)) writeNotRun(run, call, turn.stopReason === 'refusal' ? REFUSED_TEXT : CUT_TEXT);
    else if (endsRun(run, call)) finishing.push(call);
    else {
      const plan = await planCall(run, call);
      if ('tool' in plan) planned.push(plan);
      else ending ??= plan.ending;
    }
  }
  ending ??= await runPlanned(run, planned);
  ending = run.interruption.cut?.ending ?? ending;
  ending ??= finish(run, finishing);
  closeTheRest(run, ending);
  return ending;
}

const CUT_TEXT =
  'This call was not run: the output limit cut it, so its arguments may not be whole. Ask again with shorter arguments, or in several calls.';

const REFUSED_TEXT = 'This call was not run: the reply was broken off by a refusal, so its arguments may not be whole.';

function writeToolCall(run: LoopContext, call: ToolUseBlock): void {
  const { call_id, name, arguments: args, arguments_text } = call;
  run.log.write({
    type: 'tool_call',
    call_id,
    name,
    arguments: args,
    ...(arguments_text !== undefined && { arguments_text }),
  });
}

function endsRun(run: LoopContext, call: ToolUseBlock): boolean {
  return call.name === FINISH_TOOL_NAME && run.log.state.stop_on === 'finish_tool';
}

/** Looks the tool up and checks the arguments; answers the call where it cannot run. */
async function planCall(run: LoopContext, call: ToolUseBlock): Promise<PlannedCall | { readonly ending: Ending | undefined }> {
  const tool = run.tools.get(call.name);
  if (tool === undefined) {
    const text = unknownToolText(call.name, run.requests.offeredNames(run.log.state));
    writeRefusal(run, call, 'unknown_tool', text);
    return {
      ending: run.agent.onUnknownTool === 'end' ? { reason: 'error', error: { code: 'tool_not_found', message: text } } : undefined,
    };
  }
  const problem = (text: string): { ending: undefined } => {
    writeRefusal(run, call, 'invalid_arguments', text);
    return { ending: undefined };
  };
  if (call.arguments_text !== undefined) return problem(brokenArgumentsText(tool.definition, call.arguments_text));
  try {
    // A copy: what a tool does to its input must change neither the journal nor what the model is sent again.
    const checking = tool.check(copyJson(call.arguments));
    const checked = checking instanceof Promise ? await run.interruption.orCut(checking) : checking;
    if (checked === undefined) return { ending: run.interruption.cut?.ending };
    if (!checked.ok) return problem(badArgumentsText(tool.definition, checked.problem));
    if (tool.definition.confirm === true) return deny(run, call);
    return { call, tool, input: checked.value, args: call.arguments };
  } catch (error) {
    return problem(badArgumentsText(tool.definition, describeError(error)));
  }
}

const NOBODY_TO_ASK = 'This call needs a person to confirm it, and nobody can be asked in this run.';

function deny(run: LoopContext, call: ToolUseBlock): { ending: undefined } {
  run.log.write({
    type: 'approval_decided',
    call_id: call.call_id,
    decision: 'deny',
    reason: NOBODY_TO_ASK,
    by: 'runtime',
  });
  writeRefusal(run, call, 'denied', `${NOBODY_TO_ASK} It was not run.`);
  return { ending: undefined };
}

/** Runs what the limit of tool calls leaves room for, group by group. */
async function runPlanned(run: LoopContext, planned: readonly PlannedCall[]): Promise<Ending | undefined> {
  const { max_tool_calls } = run.log.state.config;
  const room = max_tool_calls === undefined ? planned.length : Math.max(0, max_tool_calls - run.log.state.spent.tool_calls);
  for (const group of groups(planned.slice(0, room))) {
    if (run.interruption.cut !== undefined) return undefined;
    const ending = await runGroup(run, group);
    if (ending !== undefined) return ending;
  }
  if (planned.length <= room) return undefined;
  const reached = run.ledger.check('max_tool_calls', max_tool_calls, run.log.state.spent.tool_calls, planned.length - room);
  if (reached !== undefined) run.log.write(reached);
  return { reason: 'budget' };
}

/** Consecutive `read` calls together, every other call alone. */
function groups(planned: readonly PlannedCall[]): PlannedCall[][] {
  const result: PlannedCall[][] = [];
  let reads: PlannedCall[] | undefined;
  for (const plan of planned) {
    const isRead = plan.tool.definition.effect === 'read';
    if (isRead && reads !== undefined) reads.push(plan);
    else {
      const group = [plan];
      reads = isRead ? group : undefined;
      result.push(group);
    }
  }
  return result;
}

function runGroup(run: LoopContext, group: readonly PlannedCall[]): Promise<Ending | undefined> {
  const [first] = group;
  return first !== undefined && group.length === 1 ? executeCall(run, first) : runSideBySide(run, group);
}

async function runSideBySide(run: LoopContext, group: readonly PlannedCall[]): Promise<undefined> {
  const waiting = group.values();
  const worker = async (): Promise<void> => {
    for (const plan of waiting) {
      if (run.interruption.cut !== undefined) return;
      await executeCall(run, plan);
    }
  };
  await Promise.all(Array.from({ length: Math.min(DEFAULTS.parallelReads, group.length) }, worker));
  return undefined;
}

/** The finish tool, behind all its siblings. */
function finish(run: LoopContext, calls: readonly ToolUseBlock[]): Ending | undefined {
  let ending: Ending | undefined;
  for (const call of calls) {
    const { result } = call.arguments;
    if (call.arguments_text !== undefined || typeof result !== 'string') {
      writeRefusal(run, call, 'invalid_arguments', `The tool ${FINISH_TOOL_NAME} needs {"result": "<the final answer>"}; it was not run.`);
    } else if (ending !== undefined) writeNotRun(run, call, 'This call was not run: the run had finished.');
    else {
      const content = [{ type: 'text' as const, text: 'The run is finished.' }];
      run.log.write({
        type: 'tool_result',
        call_id: call.call_id,
        name: call.name,
        content,
        is_error: false,
        outcome: 'ok',
      });
      ending = { reason: 'finished', finalContent: result };
    }
  }
  return ending;
}

/** Every call that has no result yet was not run, and says why. */
function closeTheRest(run: LoopContext, ending: Ending | undefined): void {
  const { turn } = run.log.state;
  if (turn === undefined) return;
  const why = ending === undefined ? '' : ` The run was ended (${ending.reason}).`;
  for (const [index, call] of turn.calls.entries()) {
    if (turn.results[index] === undefined) writeNotRun(run, call, `This call was not run.${why}`);
  }
}
