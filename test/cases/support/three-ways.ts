/**
 * The three ways in which a run can go: in this thread, in a thread of its own, and through the command. The agent is data, a
 * model behind Chat Completions and perhaps a manifest of command tools, so that the same one goes all three ways.
 */
import { onTestFinished } from 'vitest';
import { agentFromData } from '../../../src/node/agent-from-data.ts';
import type { DoneReason, RunEvent } from '../../../src/runtime/schema/event.ts';
import { startRun } from '../../../src/runtime/start-run.ts';
import { collect } from '../../../src/runtime/testing/index.ts';
import { createHost } from '../../../src/worker/index.ts';
import { runInProcess } from '../../cli/support/in-process.ts';
import { createWorkspace } from '../../cli/support/workspace.ts';
import { type Case, type CaseServer, serveCase } from './case-server.ts';

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

/** Plays a case with the tools of a manifest (its text), to the end. */
export async function playThrough(way: Way, given: string | Case, manifest?: string): Promise<Outcome> {
  const server = await serveCase(given);
  const workspace = await createWorkspace();
  const tools = manifest === undefined ? undefined : await workspace.write('tools.yaml', manifest);
  const events = await RUNNERS[way]({ baseUrl: `${server.url}/v1`, tools, folder: workspace.path });
  const done = events.at(-1);
  if (done?.type !== 'done') throw new Error(`the last event is ${done?.type}, and not done`);
  return { reason: done.reason, events, server };
}

interface Start {
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
  async 'through the command'({ baseUrl, tools, folder }) {
    const words = ['run', '--model', 'openai-compatible:m', '--base-url', baseUrl, ...(tools === undefined ? [] : ['--tools', tools])];
    const { stdout } = await runInProcess([...words, '--user-prompt', 'go', '--record', 'none', '--output', 'jsonl'], folder);
    return stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as RunEvent);
  },
};

function dataOf({ baseUrl, tools }: Start) {
  return { model: 'openai-compatible:m', base_url: baseUrl, ...(tools !== undefined && { tools }) };
}
