/** What every step of a loop works with: the agent, the ports, and the few objects that are the run. */
import type { Agent } from '../agent.ts';
import type { Ids, Random, Timers } from '../ports.ts';
import type { ToolRegistry } from '../tools/tool-registry.ts';
import type { Inbox } from './inbox.ts';
import type { Interruption } from './interruption.ts';
import type { Ledger } from './ledger.ts';
import type { ModelInForce } from './model-in-force.ts';
import type { RequestBuilder } from './request-builder.ts';
import type { RunLog } from './run-log.ts';
import type { RunTimer } from './run-timer.ts';

/** One run, from the inside. */
export interface LoopContext {
  readonly agent: Agent;
  readonly log: RunLog;
  readonly inbox: Inbox;
  readonly interruption: Interruption;
  readonly ledger: Ledger;
  readonly requests: RequestBuilder;
  readonly runTimer: RunTimer;
  readonly tools: ToolRegistry;
  readonly ids: Ids;
  readonly random: Random;
  readonly timers: Timers;
  readonly graceMs: number;
  readonly onJournalError: 'end' | 'continue';
  readonly onChild: (pid: number, state: 'started' | 'exited') => void;
  readonly model: ModelInForce;
  /** How many ephemeral events were dropped on their way out. */
  readonly droppedEvents: () => number;
}
