/**
 * PlayableStep: a step of a script, and what only a program can give beside it. The engine plays these;
 * a script from a file uses the JSON part alone, `steerloop/testing` all of it.
 */
import type { ModelRequest } from '../../ports.ts';
import type { AssistantBlock } from '../../schema/message.ts';
import type { ScriptStep } from './script-schema.ts';

/** One call of a scripted model, beside its request. */
export interface ScriptCall {
  /** Counts the calls of this model from 1, calls that are made again included. */
  readonly number: number;
  readonly iteration: number;
  readonly attempt: number;
  readonly signal: AbortSignal;
}

/** A step, driven by hand where wanted. */
export interface PlayableStep extends ScriptStep {
  /** The blocks of the reply exactly as they are to be, in place of text, thinking and tool_calls; quotes are not filled in. */
  readonly content?: readonly AssistantBlock[];
  /** Nothing comes before it resolves. Where it rejects, the call fails with that error. */
  readonly gate?: PromiseLike<unknown>;
  /** Called before each delta (from 0); the delta waits for what it returns, and the call fails when that rejects. */
  readonly pace?: (delta: number) => PromiseLike<unknown> | undefined;
  /** The call fails with this error, as it is, before anything came. */
  readonly throws?: unknown;
  /** Waits ignore the abort signal, as a dead socket does. */
  readonly deaf?: boolean;
}

/** Decides a step when its call comes. What it throws is what the call fails with. */
export type StepFunction = (request: ModelRequest, call: ScriptCall) => PlayableStep;

/** Steps in order, each for one call; or one function for every call, which never runs out. */
export type StepSource = readonly (PlayableStep | StepFunction)[] | StepFunction;
