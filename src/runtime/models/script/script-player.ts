/**
 * ScriptPlayer: the engine behind `script:<file>` and `steerloop/testing`. Takes the next step for each
 * model call, whatever the request, and plays it. It answers a call that no step stands for with an error, since a
 * script that is over has nothing to say.
 */
import { systemTimers } from '../../default-ports.ts';
import { describeError, ModelError } from '../../errors.ts';
import type { ModelCallOptions, ModelChunk, ModelReply, ModelRequest, Timers } from '../../ports.ts';
import { playStep } from './play-step.ts';
import type { PlayableStep, ScriptCall, StepSource } from './playable-step.ts';
import { UsageReckoner } from './reckoned-usage.ts';
import { ScriptStream } from './script-stream.ts';

/** Plays steps, one a call. */
export class ScriptPlayer {
  readonly #steps: StepSource;
  readonly #provider: string;
  readonly #timers: Timers;
  readonly #reckoner = new UsageReckoner();
  #calls = 0;

  constructor(steps: StepSource, options: { provider: string; timers?: Timers }) {
    this.#steps = steps;
    this.#provider = options.provider;
    this.#timers = options.timers ?? systemTimers;
  }

  /** How many steps have not been played; 0 where a function plays every call. */
  get leftover(): number {
    return Math.max(0, this.#stepCount - this.#calls);
  }

  /** How many calls came behind the last step. */
  get unexpected(): number {
    return typeof this.#steps === 'function' ? 0 : Math.max(0, this.#calls - this.#steps.length);
  }

  /** Plays the next step. Takes it at once, even if nobody reads the stream; never throws, but fails as the step says. */
  respond(request: ModelRequest, options: ModelCallOptions): AsyncIterable<ModelChunk> | Promise<ModelReply> {
    this.#calls += 1;
    const call = { number: this.#calls, iteration: options.iteration, attempt: options.attempt, signal: options.signal };
    const step = this.#take(request, call);
    const stage = {
      request,
      callNumber: call.number,
      provider: this.#provider,
      timers: this.#timers,
      reckoner: this.#reckoner,
    };
    const stream = new ScriptStream(playStep(step, stage), options.signal, { deaf: step.deaf });
    return step.stream === false ? wholeReply(stream) : stream;
  }

  get #stepCount(): number {
    return typeof this.#steps === 'function' ? 0 : this.#steps.length;
  }

  #take(request: ModelRequest, call: ScriptCall): PlayableStep {
    const step = typeof this.#steps === 'function' ? this.#steps : this.#steps[call.number - 1];
    if (step === undefined) return { throws: scriptOver(this.#stepCount, call.number) };
    if (typeof step !== 'function') return step;
    try {
      return step(request, call);
    } catch (error) {
      return { throws: error ?? new ModelError('invalid_request', `the step function threw ${describeError(error)}`) };
    }
  }
}

function scriptOver(steps: number, call: number): ModelError {
  const has = steps === 1 ? 'it has 1 step' : `it has ${steps} steps`;
  return new ModelError('invalid_request', `the script is over: ${has}, and this is model call ${call}; add a step or end the run sooner`);
}

async function wholeReply(stream: AsyncIterable<ModelChunk>): Promise<ModelReply> {
  let reply: ModelReply | undefined;
  for await (const chunk of stream) if (chunk.type === 'reply') reply = chunk.reply;
  if (reply === undefined) throw new ModelError('network', 'the connection ended before the reply was whole');
  return reply;
}
