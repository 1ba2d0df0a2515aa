/**
 * The loop. Read it top to bottom: a run begins, goes through iterations until something ends it, and is closed.
 *
 *   boundary (controls, limits) -> request and model turn -> tool calls -> end conditions
 *
 * What it knows is `run.log.state`, the fold of the events it has written (L7), and the model in force. A step gives an
 * `Ending` when the run is over and undefined when it goes on. A steer waits in the state until the next request takes it
 * (controls.ts); a stop cuts whatever waits or runs (interruption.ts); a bad call is answered (tool-calls.ts); a crash leaves a
 * journal in which every intent stands before its effect (execute-call.ts, L4).
 */
import { closingEvents, type Ending } from '../ending.ts';
import { startFailed, toErrorData } from '../errors.ts';
import { DEFAULTS } from '../schema/config.ts';
import type { DoneEvent } from '../schema/event.ts';
import type { Message } from '../schema/message.ts';
import { FINISH_REMINDER, FINISH_TEXT_REPLIES } from '../stop-rule.ts';
import type { LoopContext } from './context.ts';
import { applySettings, messageWaits, stopsAfterStep, useConfiguredModel } from './controls.ts';
import { modelTurn, type Turn } from './model-turn.ts';
import { runToolCalls } from './tool-calls.ts';
import { waitUntil } from './wait-until.ts';

/** Runs a loop whose `run_started` is written, to `done`, which it gives. Never rejects. */
export async function runLoop(run: LoopContext): Promise<DoneEvent> {
  let ending: Ending;
  try {
    ending = (await prepare(run)) ?? (await iterate(run));
  } catch (error) {
    // A defect of the loop or of a port: the run must still end, and say so.
    ending = { reason: 'error', error: toErrorData(error, 'internal') };
  }
  return await close(run, ending);
}

/** What could not be checked before the run had a journal: tools compile their schemas, a model is found by its name and loads. */
async function prepare(run: LoopContext): Promise<Ending | undefined> {
  run.runTimer.set();
  try {
    await run.interruption.orCut(run.tools.prepare());
    await useConfiguredModel(run);
    await run.interruption.orCut(run.model.current.prepare?.() ?? Promise.resolve());
    return undefined;
  } catch (error) {
    return { reason: 'error', error: startFailed(toErrorData(error)) };
  }
}

async function iterate(run: LoopContext): Promise<Ending> {
  for (;;) {
    if (run.log.state.open_controls.length > 0) await applySettings(run);
    const ending = boundary(run) ?? (await step(run));
    if (ending !== undefined) return ending;
  }
}

/** Between two iterations, settings being in force: a stop is heard, limits are looked at before anything is spent. */
function boundary(run: LoopContext): Ending | undefined {
  if (run.interruption.cut !== undefined) return run.interruption.cut.ending;
  if (stopsAfterStep(run)) return { reason: 'stopped' };
  const { config, iteration } = run.log.state;
  const reached = run.ledger.check('max_iterations', config.max_iterations ?? DEFAULTS.maxIterations, iteration, 1);
  if (reached === undefined) return undefined;
  run.log.write(reached);
  return { reason: 'max_iterations' };
}

/** One iteration: ask the model, run what it asks for, see whether that was the end. */
async function step(run: LoopContext): Promise<Ending | undefined> {
  const { iteration } = run.log.state;
  run.log.write({ type: 'iteration_started', messages: ownMessages(run) }, iteration + 1);
  const outcome = await modelTurn(run);
  if ('ending' in outcome) return outcome.ending;
  const { turn } = outcome;
  if (turn.calls.length === 0) return afterText(run, turn);
  return (await runToolCalls(run, turn)) ?? afterCalls(run);
}

/** What the loop itself says: under `finish_tool`, that a reply without a call ends nothing. */
function ownMessages(run: LoopContext): Message[] {
  const { stop_on, text_replies } = run.log.state;
  if (stop_on !== 'finish_tool' || text_replies === 0) return [];
  return [{ id: run.ids.next('message'), role: 'user', content: [{ type: 'text', text: FINISH_REMINDER }], time: run.log.clock.now() }];
}

/** Calls that the output limit cuts again and again lead nowhere. */
function afterCalls(run: LoopContext): Ending | undefined {
  return run.log.state.cut_turns >= DEFAULTS.cutTurns ? { reason: 'truncated' } : undefined;
}

/** A reply without calls: by the stop rule the end, a reminder, or a wait for a person. */
async function afterText(run: LoopContext, turn: Turn): Promise<Ending | undefined> {
  if (turn.stopReason === 'refusal') return { reason: 'refused' };
  if (turn.stopReason === 'max_tokens' || turn.stopReason === 'context_overflow') return { reason: 'truncated' };
  if (turn.stopReason === 'pause_turn') return undefined;
  const { stop_on: rule } = run.log.state;
  switch (rule) {
    case 'text':
      // A message that waits keeps the run going; the boundary hears a stop first.
      return messageWaits(run) ? undefined : { reason: 'finished' };
    case 'finish_tool':
      return run.log.state.text_replies < FINISH_TEXT_REPLIES ? undefined : finishNotCalled();
    case 'manual':
      return await idle(run);
    default:
      return rule satisfies never;
  }
}

function finishNotCalled(): Ending {
  const message = `The model replied ${FINISH_TEXT_REPLIES} times in a row without a tool call; under the stop rule finish_tool only the tool \`finish\` ends a run.`;
  return { reason: 'error', error: { code: 'finish_not_called', message } };
}

/** A manual run waits for the next message; a stop or a limit ends it. */
async function idle(run: LoopContext): Promise<Ending | undefined> {
  run.log.write({ type: 'awaiting_input', kind: 'message' });
  await run.interruption.orCut(run.log.commit());
  await waitUntil(run, () => messageWaits(run) || stopsAfterStep(run));
  if (run.interruption.cut !== undefined) return run.interruption.cut.ending;
  const message = run.log.state.open_controls.find(({ control }) => control.type === 'inject');
  if (message === undefined) return { reason: 'finished' };
  run.log.write({ type: 'input_received', control_id: message.id });
  return undefined;
}

/** Waits for the journal; of a run that was stopped or timed out not for longer than the grace period, since nobody else would (L2). */
function kept(run: LoopContext): Promise<void> {
  const commit = run.log.commit();
  if (run.interruption.cut === undefined) return commit;
  return new Promise((resolve) => {
    const cancel = run.timers.set(run.graceMs, 'grace', resolve);
    void commit.then(() => {
      cancel();
      resolve();
    });
  });
}

/** Gives every open control its fate, writes `done`, and waits until the journal has kept it. */
async function close(run: LoopContext, ending: Ending): Promise<DoneEvent> {
  run.runTimer.cancel();
  run.inbox.close();
  for (const event of closingEvents(run.log.state, ending, run.droppedEvents())) run.log.write(event);
  const { done } = run.log.state;
  if (done === undefined) throw new Error('a closed run has no done event');
  await kept(run);
  run.log.feed.close();
  return done;
}
