/**
 * The three ways in which a run can go: in this thread, in a thread of its own, and through the command. The agent is data, a
 * model behind Chat Completions and perhaps a manifest of command tools, so that the same one goes all three ways.
 */
import { onTestFinished, vi } from 'vitest';
import { agentFromData } from '../../../src/node/agent-from-data.ts';
import type { DoneReason, RunEvent } from '../../../src/runtime/schema/event.ts';
import { startRun } from '../../../src/runtime/start-run.ts';
import { collect } from '../../../src/runtime/testing/index.ts';
import { createHost } from '../../../src/worker/index.ts';
import { runInProcess } from '../../cli/support/in-process.ts';
import { createWorkspace } from '../../cli/support/workspace.ts';
import { CASE_KEY } from './case-run.ts';
import { type Case, type CaseServer, serveCase } from './case-server.ts';
import { expectSoundRun } from './sound-run.ts';

/** A way for a run to go. */
export type Way = 'inline' | 'in a thread' | 'through the command';

/** All ways. */
export const WAYS: readonly Way[] = ['inline', 'in a thread', 'through the command'];

/** What came of a run, whichever way it went. */
export interface Outcome {
  readonly reason: DoneReason;
  readonly events: readonly RunEvent[];
  readonly server: CaseServer;
}

/** What a case is played with. */
export interface ThroughOptions {
  /** Text of a manifest of command tools. */
  readonly manifest?: string;
  /** Default `openai-compatible`. Anthropic's key comes from the environment, so it does not go through the command here. */
  readonly provider?: 'openai-compatible' | 'anthropic';
}

/** Plays a case to the end. */
export async function playThrough(way: Way, given: string | Case, options: ThroughOptions = {}): Promise<Outcome> {
  const { manifest, provider = 'openai-compatible' } = options;
  vi.stubEnv('ANTHROPIC_API_KEY', CASE_KEY);
  const server = await serveCase(given);
  const workspace = await createWorkspace();
  const tools = manifest === undefined ? undefined : await workspace.write('tools.yaml', manifest);
  const baseUrl = provider === 'anthropic' ? server.url : `${server.url}/v1`;
  const events = await RUNNERS[way]({ model: `${provider}:m`, baseUrl, tools, folder: workspace.path });
  expectSoundRun(events);
  const done = events.at(-1);
  if (done?.type !== 'done') throw new Error(`the last event is ${done?.type}, and not done`);
  return { reason: done.reason, events, server };
}

interface Start {
  readonly model: string;
  readonly baseUrl: string;
  readonly tools: string | undefined;
  readonly folder: string;
}

const RUNNERS: Record<Way, (start: Start) => Promise<readonly RunEvent[]>> = {
  inline: async (start) => collect(startRun(await agentFromData(dataOf(start), { env: process.env }), 'go')),
  async 'in a thread'(start) {
    const host = createHost({ warmThreads: 0 });
    onTestFinished(() => host.close());
    return collect(await host.start({ agent: dataOf(start), input: 'go' }));
  },
  async 'through the command'({ model, baseUrl, tools, folder }) {
    const words = ['run', '--model', model, '--base-url', baseUrl, ...(tools === undefined ? [] : ['--tools', tools])];
    const { stdout } = await runInProcess([...words, '--user-prompt', 'go', '--record', 'none', '--output', 'jsonl'], folder);
    return stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as RunEvent);
  },
};

function dataOf({ model, baseUrl, tools }: Start) {
  return { model, base_url: baseUrl, ...(tools !== undefined && { tools }) };
}
