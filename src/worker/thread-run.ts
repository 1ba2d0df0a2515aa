/**
 * The thread's side of a run: waits for the `start`, loads the agent, runs the loop, sends its events and hands it the
 * controls that come (L2, L4, L8). Ends when the host has acknowledged `done`; whatever goes wrong outside the loop is
 * for the host to notice and to tell.
 */
import type { Agent } from '../runtime/agent.ts';
import { startFailed, toErrorData } from '../runtime/errors.ts';
import type { Run } from '../runtime/run.ts';
import type { Control } from '../runtime/schema/control.ts';
import { isDurable, type RunEvent } from '../runtime/schema/event.ts';
import { startRun } from '../runtime/start-run.ts';
import { ChannelJournal } from './channel-journal.ts';
import { type AgentSource, CHANNEL_VERSION, type FromThread, type StartMessage, type ToThread } from './channel-messages.ts';
import { DeltaBatch } from './delta-batch.ts';
import { loadAgent } from './load-agent.ts';
import { parseToThread } from './parse-message.ts';
import type { PollableEnd } from './port-end.ts';

/** Events between two looks at what has arrived, while the loop leaves the event loop no turn. */
const EVENTS_A_POLL = 16;

/** What a thread serves a run with. */
export interface ThreadParts {
  readonly end: PollableEnd<FromThread>;
  /** Id of the thread, as `node:worker_threads` gives it. */
  readonly threadId: number;
  /** Calls back when the thread exits by itself, and waits for nothing then. */
  readonly onExit?: (call: () => void) => void;
  /** Default: from a module or from data. */
  readonly load?: (source: AgentSource) => Promise<Agent>;
}

/** Serves one run. Resolves when it is over and acknowledged, or could not begin and the host was told why. Never rejects. */
export function serveRun(parts: ThreadParts): Promise<void> {
  return new ThreadRun(parts).serve();
}

class ThreadRun {
  readonly #end: PollableEnd<FromThread>;
  readonly #threadId: number;
  readonly #load: (source: AgentSource) => Promise<Agent>;
  readonly #journal: ChannelJournal;
  readonly #deltas: DeltaBatch;
  /** Controls that came before the loop ran. */
  readonly #early: { control: Control; by: string | undefined }[] = [];
  #run: Run | undefined;
  #sincePoll = 0;
  #begin: (start: StartMessage) => void = () => {};

  constructor({ end, threadId, onExit, load }: ThreadParts) {
    this.#end = end;
    this.#threadId = threadId;
    this.#load = load ?? loadAgent;
    this.#deltas = new DeltaBatch({
      post: (events) => end.post({ type: 'deltas', events: [...events] }),
      nextTurn: setImmediate,
      later: setTimeout,
      now: () => performance.now(),
    });
    this.#journal = new ChannelJournal((event) => {
      this.#deltas.flush();
      end.post({ type: 'event', event });
    });
    // What waits for the next turn of the event loop would be lost: there is no next turn.
    onExit?.(() => this.#deltas.flush());
  }

  async serve(): Promise<void> {
    const started = new Promise<StartMessage>((resolve) => (this.#begin = resolve));
    this.#end.listen((message) => this.#take(message));
    this.#end.post({ type: 'ready', version: CHANNEL_VERSION, thread_id: this.#threadId });
    const start = await started;
    try {
      const agent = await this.#load(start.agent);
      this.#run = this.#start(agent, start);
    } catch (error) {
      this.#end.post({ type: 'failed', error: startFailed(toErrorData(error)) });
      return;
    }
    for (const { control, by } of this.#early.splice(0)) this.#send(control, by);
    await this.#run.result;
  }

  #start(agent: Agent, start: StartMessage): Run {
    this.#end.post({ type: 'keys', keys: [...(agent.model.secrets ?? [])] });
    const onEvent = agent.hooks?.onEvent;
    const forward = (event: RunEvent): unknown => {
      this.#forward(event);
      return onEvent?.call(agent.hooks, event);
    };
    // On top of the agent, not a copy of it: an agent may be an instance of a class, with getters and methods.
    const hooks = Object.create(agent.hooks ?? {}, { onEvent: { value: forward } });
    const forwarding: Agent = Object.create(agent, { hooks: { value: hooks } });
    return startRun(forwarding, start.input, {
      id: start.run_id,
      config: start.config,
      sessionId: start.session_id,
      owner: start.owner,
      journal: this.#journal,
      onJournalError: start.on_journal_error,
      secrets: start.secrets,
      graceMs: start.grace_ms,
      droppedEvents: () => this.#deltas.droppedInAll,
      onChild: (pid, state) => this.#child(pid, state),
    });
  }

  /** Ephemeral events leave from here, durable ones have left through the journal. */
  #forward(event: RunEvent): void {
    if (!isDurable(event)) this.#deltas.push(event);
    this.#sincePoll += 1;
    if (this.#sincePoll < EVENTS_A_POLL) return;
    this.#sincePoll = 0;
    this.#end.poll();
    this.#deltas.flushLate();
  }

  #child(pid: number, state: 'started' | 'exited'): void {
    // A child that could not be started has no pid, and a tool may say so without looking.
    if (Number.isInteger(pid) && pid > 1) this.#end.post({ type: 'child', pid, state });
  }

  #take(data: unknown): void {
    const message = this.#parse(data);
    switch (message?.type) {
      case 'start':
        return this.#begin(message);
      case 'control':
        return this.#send(message.control, message.by);
      case 'ack':
        this.#deltas.hasRead(message.delta_batches);
        return this.#journal.acknowledge(message.committed_seq, message.error);
      case 'ping':
        return this.#end.post({ type: 'pong', id: message.id });
      case 'reply':
      case undefined:
        return;
    }
  }

  /** A message that does not fit: the two ends are not made for each other, and no run can come of it. */
  #parse(data: unknown): ToThread | undefined {
    try {
      return parseToThread(data);
    } catch (error) {
      if (this.#run !== undefined) throw error;
      this.#end.post({ type: 'failed', error: startFailed(toErrorData(error)) });
      return undefined;
    }
  }

  #send(control: Control, by: string | undefined): void {
    if (this.#run === undefined) {
      this.#early.push({ control, by });
      return;
    }
    const receipt = this.#run.send(control, { by });
    void receipt.accepted.then(({ ok, reason = 'refused', message }) => {
      if (!ok) this.#end.post({ type: 'refused', id: receipt.id, reason, message });
    });
  }
}
