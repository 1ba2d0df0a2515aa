/** What the loop's tests share: a run on fixed ports, its events, and what they say in short. */
import type { Agent } from '../../../src/runtime/agent.ts';
import type { Run, RunResult } from '../../../src/runtime/run.ts';
import type { RunEvent } from '../../../src/runtime/schema/event.ts';
import type { RunInput, StartOptions } from '../../../src/runtime/start-options.ts';
import { startRun } from '../../../src/runtime/start-run.ts';
import {
  collect,
  countingIds,
  type FixedClock,
  fixedClock,
  fixedRandom,
  type ManualTimers,
  manualTimers,
  type RecordingTools,
  type ScriptedModel,
  type ScriptedModelOptions,
  scriptedModel,
} from '../../../src/runtime/testing/index.ts';

type Steps = Parameters<typeof scriptedModel>[0];

/** What a test gives beside the script. */
export interface Stage extends Omit<StartOptions, 'clock' | 'timers'> {
  readonly tools?: RecordingTools;
  readonly agent?: Partial<Agent>;
  readonly input?: RunInput;
  readonly model?: ScriptedModelOptions;
}

/** A run in flight, with everything a test drives it by. */
export interface Play {
  readonly run: Run;
  readonly model: ScriptedModel;
  readonly timers: ManualTimers;
  readonly clock: FixedClock;
  /** All events, once the run is over. */
  readonly events: Promise<RunEvent[]>;
}

/** Starts a run of the script on fixed ports. */
export function start(steps: Steps, stage: Stage = {}): Play {
  const clock = fixedClock(1_000);
  const timers = manualTimers(clock);
  const { tools, agent, input = 'hello', model: modelOptions, ...options } = stage;
  const model = scriptedModel(steps, { timers, ...modelOptions });
  const run = startRun({ model, tools: tools?.tools ?? [], ...agent }, input, {
    id: 'run_1',
    ids: countingIds(),
    random: fixedRandom(0.5),
    clock,
    timers,
    ...options,
  });
  return { run, model, timers, clock, events: collect(run) };
}

/** Plays a script to its end, which it must have used up. */
export async function play(steps: Steps, stage: Stage = {}): Promise<Play & { result: RunResult; all: RunEvent[] }> {
  const started = start(steps, stage);
  const result = await started.run.result;
  started.model.assertDone();
  return { ...started, result, all: await started.events };
}

/** Events of one type. */
export function only<T extends RunEvent['type']>(events: readonly RunEvent[], type: T): Extract<RunEvent, { type: T }>[] {
  return events.filter((event): event is Extract<RunEvent, { type: T }> => event.type === type);
}

/** Types of the durable events, in order. */
export function types(events: readonly RunEvent[]): string[] {
  return events.filter((event) => 'seq' in event).map((event) => event.type);
}

/** The text of a request's messages, one line a block: role and what it says. */
export function said(model: ScriptedModel, request: number): string[] {
  const messages = model.requests[request]?.messages ?? [];
  return messages.flatMap((message) =>
    message.content.map((block) => {
      if (block.type === 'text') return `${message.role}: ${block.text}`;
      if (block.type === 'tool_use') return `${message.role} calls ${block.name} as ${block.call_id}`;
      if (block.type === 'tool_result') {
        const text = block.content.map((part) => (part.type === 'text' ? part.text : '[image]')).join('');
        return `${message.role} result of ${block.call_id} (${block.outcome}): ${text}`;
      }
      return `${message.role} ${block.type}`;
    }),
  );
}
