/**
 * How a run ends: every open control gets its one fate, then comes `done`, always last. The loop writes these
 * events for itself; a host writes the same ones for a thread that has died (and never a tool result, since
 * it cannot know one).
 */
import type { Control, Fate, UserContent } from './schema/control.ts';
import type { ErrorData } from './schema/error-data.ts';
import type { DoneEvent, DoneReason, DurableEvent, Unstamped } from './schema/event.ts';
import { applyEvent } from './state/apply-event.ts';
import type { OpenControl, RunState } from './state/run-state.ts';

/** Why a run ends, as data. */
export interface Ending {
  readonly reason: DoneReason;
  readonly error?: ErrorData;
  /** Replaces the last reply's text as `final_content`: the finish tool's result. */
  readonly finalContent?: string;
}

/** What is written at the end of a run: the fates that are missing, then `done`. */
export function closingEvents(state: RunState, ending: Ending, droppedEvents = 0): Unstamped<DurableEvent>[] {
  return [...state.open_controls.map((open) => fateAtEnd(open, ending)), doneOf(state, ending, droppedEvents)];
}

/** The `done` of a run that ends in this state. `droppedEvents`: ephemeral events that were dropped on their way out of the loop. */
export function doneOf(state: RunState, ending: Ending, droppedEvents = 0): Unstamped<DoneEvent> {
  return {
    type: 'done',
    reason: ending.reason,
    final_content: ending.finalContent ?? state.last_text,
    usage: state.spent.usage,
    cost_usd: state.spent.cost_usd,
    iterations: state.iteration,
    tool_calls: state.spent.tool_calls,
    dropped_events: droppedEvents,
    unseen: state.open_controls.flatMap(({ id, control }) =>
      control.type === 'inject' ? [{ control_id: id, message: control.message }] : [],
    ),
    ...(ending.error !== undefined && { error: ending.error }),
  };
}

/** The tail that a host authors once a thread's port has closed: complete events, numbered on from the state. */
export function hostTail(state: RunState, ending: Ending, now: number): DurableEvent[] {
  if (state.done !== undefined) return [];
  let folded = state;
  return closingEvents(state, ending).map((event) => {
    const stamp = { type: event.type, run_id: state.run_id, iteration: state.iteration, time: now, seq: folded.seq + 1, origin: 'host' };
    const stamped = { ...stamp, ...event } as DurableEvent;
    folded = applyEvent(folded, stamped);
    return stamped;
  });
}

function fateAtEnd({ id, control }: OpenControl, ending: Ending): Unstamped<DurableEvent> {
  return { type: 'control_applied', control_id: id, fate: fateOf(control, ending) };
}

function fateOf(control: Control, ending: Ending): Fate {
  const why = ending.reason === 'crashed' ? 'run_crashed' : 'run_ended';
  switch (control.type) {
    case 'inject':
      return { kind: 'returned', reason: why, text: contentText(control.message) };
    case 'stop':
      // A run that crashed by itself was not stopped by this; any other end is what the stop asked for.
      return ending.reason === 'crashed' ? { kind: 'rejected', reason: why } : { kind: 'applied' };
    default:
      return { kind: 'rejected', reason: why };
  }
}

/** What a person said, as text; a picture is shown as a word. */
function contentText(content: UserContent): string {
  if (typeof content === 'string') return content;
  return content.map((block) => (block.type === 'text' ? block.text : '[image]')).join('\n');
}
