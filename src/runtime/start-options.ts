/** Options of `startRun`, the ports among them; every one has a default that suits a program that just runs an agent. */
import type { Clock, Ids, Journal, Random, Timers } from './ports.ts';
import type { RunConfig } from './schema/config.ts';
import type { UserContent } from './schema/control.ts';
import type { Message } from './schema/message.ts';

/** What a run begins with: a text, a user message or its content, or a message list (history; system messages only at its head). */
export type RunInput = UserContent | InputMessage | readonly InputMessage[];

/** A message as a caller may write it: id and time are added where they are missing, a text stands for one text block. */
export type InputMessage = Omit<Message, 'id' | 'time' | 'content'> & {
  readonly id?: string;
  readonly time?: number;
  readonly content: string | Message['content'];
};

/** Options of `startRun`. */
export interface StartOptions {
  /** Id of the run; default a new one. */
  readonly id?: string;
  /** Settings over those of the agent, field by field. */
  readonly config?: RunConfig;
  /** For the journal: the conversation that the run belongs to. */
  readonly sessionId?: string;
  /** For the journal: whose run it is. */
  readonly owner?: string;
  /** Aborting it is a `stop` now. Its reason is kept. */
  readonly signal?: AbortSignal;
  /** Where the run's events are kept; default in memory. */
  readonly journal?: Journal;
  /** What happens when the journal cannot be written: `end` (default) ends the run at the next `write` call, `continue` goes on. */
  readonly onJournalError?: 'end' | 'continue';
  /** Further keys that must not leave, beside those that the model registers. */
  readonly secrets?: readonly string[];
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly random?: Random;
  readonly timers?: Timers;
  /** How long tools may go on after a stop or their time limit before they are abandoned, in milliseconds; default 2,000. */
  readonly graceMs?: number;
  /** How many ephemeral events whoever carries them away had to drop so far; asked once, for `done`. Default: none. */
  readonly droppedEvents?: () => number;
  /** Told of child process groups that tools start and end. */
  readonly onChild?: (pid: number, state: 'started' | 'exited') => void;
}
