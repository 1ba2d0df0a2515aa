/**
 * recordingExecutor: runs tool calls for a test. It answers from a table, holds calls until the test lets
 * them go, and records each call with its place in the order and what ran beside it.
 */
import type { JsonValue } from '../schema/json.ts';
import type { ToolContext } from '../tools/tool.ts';
import type { ToolOutput } from '../tools/tool-output.ts';
import { Milestones } from './milestones.ts';

/** How a recorded call stands. */
export type CallState = 'running' | 'returned' | 'threw' | 'aborted';

/** One call, as it was made. */
export interface RecordedCall {
  readonly name: string;
  readonly args: unknown;
  readonly callId: string;
  /** From 1, over all tools, in the order of starting. */
  readonly order: number;
  /** How many calls ran when it started, itself included. */
  readonly beside: number;
  readonly signal: AbortSignal;
  readonly state: CallState;
}

/** Computes an answer; what it throws is the tool's failure. */
export type AnswerFunction = (args: unknown, context: ToolContext, call: RecordedCall) => unknown;

/** How a tool answers. */
export interface ScriptedTool {
  /** What the call returns; a function computes it. Default: the text `ok`. */
  readonly answer?: AnswerFunction | JsonValue | ToolOutput;
  /** The call waits for it before it answers; a function makes one for each call. An abort ends the wait unless the tool is deaf. */
  readonly gate?: PromiseLike<unknown> | ((call: RecordedCall) => PromiseLike<unknown> | undefined);
  /** The tool takes no notice of its signal. */
  readonly deaf?: boolean;
}

/** A tool as a table holds it: how it answers, a function that computes the answer, or the answer as a text. */
export type ScriptedToolEntry = ScriptedTool | AnswerFunction | string;

/** Runs calls and records them. */
export interface RecordingExecutor {
  /** Every call, in the order of starting. */
  readonly calls: readonly RecordedCall[];
  /** The most calls that ever ran at the same time. */
  readonly mostAtOnce: number;
  /** Runs one call. Rejects where the answer throws, for a name that is not in the table, and with the signal's reason on an abort. */
  execute(name: string, args: unknown, context: ToolContext): Promise<unknown>;
  /** Resolves once so many calls (default: one) of that tool have started. */
  whenStarted(name: string, times?: number): Promise<void>;
}

/** Makes an executor that answers from a table. */
export function recordingExecutor(table: Readonly<Record<string, ScriptedToolEntry>>): RecordingExecutor {
  const calls: { -readonly [Key in keyof RecordedCall]: RecordedCall[Key] }[] = [];
  const started = new Map<string, Milestones>();
  let running = 0;
  let mostAtOnce = 0;

  const startsOf = (name: string): Milestones => {
    const starts = started.get(name) ?? new Milestones();
    started.set(name, starts);
    return starts;
  };

  return {
    calls,
    get mostAtOnce() {
      return mostAtOnce;
    },
    async execute(name, args, context) {
      running += 1;
      mostAtOnce = Math.max(mostAtOnce, running);
      const { callId, signal } = context;
      const call = { name, args, callId, order: calls.length + 1, beside: running, signal, state: 'running' as CallState };
      calls.push(call);
      startsOf(name).reach();
      try {
        const answer = await answerCall(scriptedTool(table, name), call, context);
        call.state = 'returned';
        return answer;
      } catch (error) {
        call.state = signal.aborted && error === signal.reason ? 'aborted' : 'threw';
        throw error;
      } finally {
        running -= 1;
      }
    },
    whenStarted: (name, times = 1) => startsOf(name).whenReached(times),
  };
}

function scriptedTool(table: Readonly<Record<string, ScriptedToolEntry>>, name: string): ScriptedTool {
  const entry = Object.hasOwn(table, name) ? table[name] : undefined;
  if (entry === undefined) throw new Error(`the table has no tool ${name}; it has ${Object.keys(table).join(', ') || 'none'}`);
  return typeof entry === 'string' || typeof entry === 'function' ? { answer: entry } : entry;
}

async function answerCall(tool: ScriptedTool, call: RecordedCall, context: ToolContext): Promise<unknown> {
  const gate = typeof tool.gate === 'function' ? tool.gate(call) : tool.gate;
  if (gate !== undefined) await (tool.deaf ? gate : unlessAborted(gate, context.signal));
  if (typeof tool.answer === 'function') return tool.answer(call.args, context, call);
  return tool.answer ?? 'ok';
}

function unlessAborted(gate: PromiseLike<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    const settle = (how: () => void) => {
      signal.removeEventListener('abort', onAbort);
      how();
    };
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    gate.then(
      () => settle(resolve),
      (error) => settle(() => reject(error)),
    );
  });
}
