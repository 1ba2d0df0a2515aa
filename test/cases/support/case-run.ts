/**
 * A whole run against the scripted provider of a case: the loop, the real SDK, real HTTP. Time stands still, so that no
 * watchdog can fire by accident, and a wait before a retry is over at once; what was waited for is kept.
 */
import type { Agent } from '../../../src/runtime/agent.ts';
import { anthropicModel } from '../../../src/runtime/models/anthropic-model.ts';
import { openaiModel } from '../../../src/runtime/models/openai-model.ts';
import type { Model, Timers } from '../../../src/runtime/ports.ts';
import type { Run, RunResult } from '../../../src/runtime/run.ts';
import type { RunEvent } from '../../../src/runtime/schema/event.ts';
import type { RunInput, StartOptions } from '../../../src/runtime/start-options.ts';
import { startRun } from '../../../src/runtime/start-run.ts';
import { collect, type FixedClock, fixedClock, fixedRandom, type ManualTimers, manualTimers } from '../../../src/runtime/testing/index.ts';
import type { Tool } from '../../../src/runtime/tools/tool.ts';
import { type Case, type CaseServer, serveCase } from './case-server.ts';
import { expectSoundRun } from './sound-run.ts';

/** The two real adapters. */
export type Provider = 'anthropic' | 'openai';

/** Key of every request in the cases. */
export const CASE_KEY = 'sk-case-0123456789abcdef';

/** What a run is started with, beside the provider. */
export interface CaseOptions extends Omit<StartOptions, 'clock'> {
  readonly tools?: readonly Tool[];
  readonly input?: RunInput;
  readonly agent?: Partial<Agent>;
  /** Waits before retries fire by hand as well. */
  readonly holdRetries?: boolean;
}

/** A run in flight. */
export interface StartedCase {
  readonly run: Run;
  readonly server: CaseServer;
  /** All events, once the run is over. */
  readonly events: Promise<RunEvent[]>;
  readonly clock: FixedClock;
  /** Everything but retry waits fires by hand, unless these are held too. */
  readonly timers: ManualTimers;
  /** Lengths of the waits before retries so far, in milliseconds. */
  readonly waits: readonly number[];
}

/** A run that is over. */
export interface PlayedCase extends Omit<StartedCase, 'events'> {
  readonly result: RunResult;
  readonly events: readonly RunEvent[];
}

/** The adapter of a provider, pointed at a server. The model's name tells nothing about it. */
export function modelAt({ url }: CaseServer, provider: Provider, more: { readonly fetch?: typeof fetch } = {}): Model {
  const options = { model: 'my-proxy/unknown', apiKey: CASE_KEY, ...more };
  return provider === 'anthropic' ? anthropicModel({ ...options, baseUrl: url }) : openaiModel({ ...options, baseUrl: `${url}/v1` });
}

/** Starts a run against a server. */
export function startCase(server: CaseServer, provider: Provider, options: CaseOptions = {}): StartedCase {
  const { tools = [], input = 'go', agent, holdRetries = false, ...startOptions } = options;
  const clock = fixedClock(1_000);
  const timers = manualTimers(clock);
  const waits: number[] = [];
  const run = startRun({ model: modelAt(server, provider), tools, ...agent }, input, {
    random: fixedRandom(0.5),
    clock,
    timers: holdRetries ? timers : withoutRetryWaits(timers, clock, waits),
    ...startOptions,
  });
  return { run, server, events: collect(run), clock, timers, waits };
}

/** Plays a case, or a reply list of a test's own, to the end of the run. */
export async function playCase(given: string | Case, provider: Provider, options: CaseOptions = {}): Promise<PlayedCase> {
  return ended(startCase(await serveCase(given), provider, options));
}

/** The next run against the same server, to its end. */
export function goOn(played: Pick<PlayedCase, 'server'>, provider: Provider, options: CaseOptions): Promise<PlayedCase> {
  return ended(startCase(played.server, provider, options));
}

/** The messages of a run that is over, and what the user says next. */
export function andThen(played: Pick<PlayedCase, 'result'>, text: string): RunInput {
  return [...played.result.messages, { role: 'user', content: text }];
}

/** Waits for the end of a run that was started, and checks what is true of every run. */
export async function ended(started: StartedCase): Promise<PlayedCase> {
  const [result, events] = await Promise.all([started.run.result, started.events]);
  expectSoundRun(events);
  return { ...started, result, events };
}

function withoutRetryWaits(timers: ManualTimers, clock: FixedClock, waits: number[]): Timers {
  return {
    set(ms, kind, fire) {
      if (kind !== 'retry_wait') return timers.set(ms, kind, fire);
      waits.push(ms);
      let cancelled = false;
      queueMicrotask(() => {
        if (cancelled) return;
        clock.advance(ms);
        fire();
      });
      return () => {
        cancelled = true;
      };
    },
  };
}
