/**
 * scriptedModel: a model for tests that plays steps, the same as those of a script file and more. It keeps
 * what it was asked, frozen, so that the loop cannot change a request it has handed over unnoticed, and it
 * fails on a call that no step stands for and on steps that nobody asked for.
 */

import { deepFreeze } from '../deep-freeze.ts';
import { SteerloopError } from '../errors.ts';
import type { PlayableStep, ScriptCall, StepFunction, StepSource } from '../models/script/playable-step.ts';
import { ScriptPlayer } from '../models/script/script-player.ts';
import type { Model, ModelRequest, Timers } from '../ports.ts';
import { Milestones } from './milestones.ts';

/** One model call as a test writes it: a step of a script file, driven by hand where wanted. */
export type ScriptedStep = PlayableStep;
/** What a step function sees of its call beside the request. */
export type ScriptedCall = ScriptCall;
/** Decides a step when its call comes; what it throws is what the call fails with. */
export type ScriptedStepFunction = StepFunction;

/** Options of `scriptedModel`. */
export interface ScriptedModelOptions {
  /** Default: `script`. */
  readonly provider?: string;
  /** Default: `scripted`. */
  readonly model?: string;
  readonly secrets?: readonly string[];
  readonly requiredMaxOutputTokens?: number;
  /** For `delay_ms` and `chunk_delay_ms`; default: the system's. */
  readonly timers?: Timers;
  /** false: requests are neither kept nor frozen, for benches and very long runs. Default: true. */
  readonly record?: boolean;
}

/** A model that plays steps and remembers its calls. */
export interface ScriptedModel extends Model {
  /** Every request, in order, frozen through and through. */
  readonly requests: readonly ModelRequest[];
  /** Iteration and attempt of every call, in order. */
  readonly calls: readonly ScriptedCall[];
  /** How many steps have not been played. */
  readonly leftover: number;
  /** Resolves once the model has been called so often (default: once). */
  whenCalled(times?: number): Promise<void>;
  /** Throws unless every step was played and no call came behind the last one. */
  assertDone(): void;
}

/** Makes a model that plays steps in order, each for one call; or one function for every call. */
export function scriptedModel(steps: StepSource, options: ScriptedModelOptions = {}): ScriptedModel {
  const provider = options.provider ?? 'script';
  const player = new ScriptPlayer(steps, { provider, timers: options.timers });
  const requests: ModelRequest[] = [];
  const calls: ScriptedCall[] = [];
  const called = new Milestones();
  return {
    provider,
    model: options.model ?? 'scripted',
    secrets: options.secrets,
    requiredMaxOutputTokens: options.requiredMaxOutputTokens,
    requests,
    calls,
    get leftover() {
      return player.leftover;
    },
    respond(request, call) {
      if (options.record !== false) {
        requests.push(deepFreeze(request));
        calls.push({ number: called.count + 1, iteration: call.iteration, attempt: call.attempt, signal: call.signal });
      }
      const response = player.respond(request, call);
      called.reach();
      return response;
    },
    whenCalled: (times = 1) => called.whenReached(times),
    assertDone: () => assertDone(player),
  };
}

function assertDone(player: ScriptPlayer): void {
  if (player.unexpected > 0) {
    throw new SteerloopError(
      'unexpected_model_call',
      `the scripted model was called ${times(player.unexpected)} after its last step; add steps, or end the run sooner`,
    );
  }
  if (player.leftover > 0) {
    throw new SteerloopError(
      'leftover_steps',
      `the scripted model has ${player.leftover} step(s) left that nobody asked for; remove them, or find out why the run ended`,
    );
  }
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
