/**
 * startRun: a run in this thread. Checks what must be right before a run can start, puts the parts of the loop together, and
 * hands out the `Run`. `run_started` is written here, so that no control can stand before it; the loop goes on from there in a microtask.
 */
import type { Agent } from './agent.ts';
import { randomIds, systemClock, systemRandom, systemTimers } from './default-ports.ts';
import { ConfigError } from './errors.ts';
import { normalizeInput } from './input.ts';
import { joinPrompt } from './join-prompt.ts';
import type { LoopContext } from './loop/context.ts';
import { checkPrice } from './loop/controls.ts';
import { Inbox } from './loop/inbox.ts';
import { Interruption } from './loop/interruption.ts';
import { Ledger } from './loop/ledger.ts';
import { runLoop } from './loop/loop.ts';
import { ModelInForce } from './loop/model-in-force.ts';
import { holdsSealedKey, warnOfDroppedThinking } from './loop/normalize-reply.ts';
import { RequestBuilder } from './loop/request-builder.ts';
import { RunLog } from './loop/run-log.ts';
import { RunTimer } from './loop/run-timer.ts';
import { memoryJournal } from './memory-journal.ts';
import { parseConfig } from './parse-config.ts';
import { ReceiptBook } from './receipt-book.ts';
import { Redactor } from './redactor.ts';
import type { Run, RunResult } from './run.ts';
import { createRunHandle, runResult } from './run-handle.ts';
import { DEFAULTS, type RunConfig } from './schema/config.ts';
import type { DoneEvent, DurableEventOf, Unstamped } from './schema/event.ts';
import { type Block, type Message, textOf } from './schema/message.ts';
import { nameOf } from './schema/model-request.ts';
import type { RunInput, StartOptions } from './start-options.ts';
import { historyOf } from './state/history.ts';
import { stopOnAbort } from './stop-on-abort.ts';
import { FINISH_TOOL_NAME, stopInstructions } from './stop-rule.ts';
import { createToolRegistry } from './tools/tool-registry.ts';

/**
 * Starts a run in this thread and returns it at once. Throws a `ConfigError` for what must be fixed first: the input (`empty_input`,
 * `invalid_input`), the config (`invalid_config`), two tools of one name, a cost limit without a price (`price_unknown`).
 * Everything later is an event; `run.result` never rejects.
 */
export function startRun(agent: Agent, input: RunInput, options: StartOptions = {}): Run {
  const ids = options.ids ?? randomIds();
  const clock = options.clock ?? systemClock;
  const config = { ...parseConfig(agent.config), ...parseConfig(options.config) };
  const given = normalizeInput(input, { ids, clock });
  const run = assemble(agent, config, options, { ids, clock });
  checkModel(run, config);
  const { log, inbox } = run;
  const messages = withoutSealedKeys(given, log.redactor);
  log.write(startedEvent(run, config, messages, options));
  if (messages !== given) warnOfDroppedThinking(log);
  const result = begin(run, options.signal).then((done): RunResult => runResult(log.state, done));
  return createRunHandle({
    id: log.runId,
    feed: log.feed,
    result,
    send: (control, sendOptions) => inbox.send(control, sendOptions?.by),
    messages: () => Promise.resolve(historyOf(log.state)),
  });
}

/** A known key under a signature cannot be taken out: the whole block goes. The same list where there is none. */
function withoutSealedKeys(messages: Message[], redactor: Redactor): Message[] {
  const sealed = (block: Block): boolean => holdsSealedKey(redactor, block);
  if (!redactor.active || !messages.some(({ content }) => content.some(sealed))) return messages;
  const clean = messages.map((message) => ({ ...message, content: message.content.filter((block) => !sealed(block)) }));
  return clean.filter(({ content }) => content.length > 0);
}

/** Throws where the model cannot be what the config asks for. */
function checkModel(run: LoopContext, config: RunConfig): void {
  if (config.model === undefined) checkPrice(run, config, run.model.current);
  else if (run.agent.models === undefined)
    throw new ConfigError(
      'unknown_model',
      `The config asks for the model ${config.model}, but the agent has no \`models\` to resolve a name. Give it one.`,
    );
}

function assemble(
  agent: Agent,
  config: RunConfig,
  options: StartOptions,
  ports: Pick<LoopContext, 'ids'> & { clock: RunLog['clock'] },
): LoopContext {
  const hooks = agent.hooks ?? {};
  const timers = options.timers ?? systemTimers;
  const receipts = new ReceiptBook();
  const log = new RunLog({
    runId: options.id ?? ports.ids.next('run'),
    journal: options.journal ?? memoryJournal(),
    clock: ports.clock,
    redactor: new Redactor([...(agent.model.secrets ?? []), ...(options.secrets ?? [])]),
    hooks,
    onWritten: (event) => {
      if (event.type === 'control_applied') receipts.settle(event.control_id, event.fate);
    },
  });
  const interruption = new Interruption();
  const inbox = new Inbox(log, interruption, ports.ids, receipts);
  return {
    agent,
    log,
    inbox,
    interruption,
    ledger: new Ledger(hooks.estimateCost),
    requests: new RequestBuilder(agent),
    runTimer: new RunTimer(log, timers, interruption),
    tools: createToolRegistry(agent.tools, { reserved: config.stop_on === 'finish_tool' ? [FINISH_TOOL_NAME] : [] }),
    ids: ports.ids,
    random: options.random ?? systemRandom,
    timers,
    graceMs: options.graceMs ?? DEFAULTS.graceMs,
    onJournalError: options.onJournalError ?? 'end',
    onChild: options.onChild ?? (() => {}),
    droppedEvents: options.droppedEvents ?? (() => 0),
    model: new ModelInForce(agent.model, log),
  };
}

function startedEvent(
  run: LoopContext,
  config: RunConfig,
  input: Message[],
  options: StartOptions,
): Unstamped<DurableEventOf<'run_started'>> {
  const { agent, tools } = run;
  const stopOn = config.stop_on ?? 'text';
  const system = joinPrompt([agent.system, ...input.filter((message) => message.role === 'system').map(textOf)]);
  const instructions = agent.stopInstructions ?? stopInstructions(stopOn);
  return {
    type: 'run_started',
    input,
    ...(system !== undefined && { system }),
    stop_on: stopOn,
    ...(instructions !== '' && { stop_instructions: instructions }),
    tools: [...tools.definitions],
    config,
    model: nameOf(run.model.current),
    ...(agent.version !== undefined && { agent_version: agent.version }),
    prices: agent.hooks?.estimateCost === undefined ? null : (agent.hooks.estimateCost.source ?? 'estimateCost'),
    ...(options.sessionId !== undefined && { session_id: options.sessionId }),
    ...(options.owner !== undefined && { owner: options.owner }),
  };
}

/** Lets the loop run, and an abort of the caller's signal be a `stop`. */
async function begin(run: LoopContext, signal: AbortSignal | undefined): Promise<DoneEvent> {
  const unlisten = stopOnAbort(signal, (control) => run.inbox.send(control));
  await undefined;
  try {
    return await runLoop(run);
  } finally {
    unlisten();
  }
}
