/** Plays one step: the beats of a scripted reply, in reading order. A beat is a chunk to hand out or a wait to sit through. */
import { ModelError } from '../../errors.ts';
import type { ModelChunk, Timers } from '../../ports.ts';
import { deltasOf } from './deltas.ts';
import { checkExpectations } from './expectations.ts';
import type { PlayableStep } from './playable-step.ts';
import type { UsageReckoner } from './reckoned-usage.ts';
import { type ReplyContext, replyContent } from './reply-content.ts';
import { type Wait, waitFor, waitForEver, waitUntil } from './waits.ts';

/** A chunk, or a wait before the next beat. */
export type Beat = ModelChunk | Wait;

/** What playing needs beside the step. */
export interface Stage extends ReplyContext {
  readonly timers: Timers;
  readonly reckoner: UsageReckoner;
}

/** The beats of a step. Throws what the step is to fail with, at the place where it is to fail. */
export function* playStep(step: PlayableStep, stage: Stage): Generator<Beat, void, undefined> {
  if (step.expect !== undefined) checkExpectations(step.expect, stage.request, stage.callNumber);
  if (step.gate !== undefined) yield waitUntil(step.gate);
  if (step.delay_ms !== undefined) yield waitFor(step.delay_ms, stage.timers);
  if (step.hang === true || step.hang === 'before') yield waitForEver;
  if (step.throws !== undefined) throw step.throws;
  if (step.error !== undefined && (step.error.after ?? 0) === 0) throw scriptedError(step);

  const content = replyContent(step, stage);
  const usage = stage.reckoner.usageOf(stage.request, content, step.usage);
  // Providers tell the input when the stream begins; it counts even when the reply never comes.
  yield { type: 'usage', usage: { ...usage, output_tokens: 0, complete: false } };
  yield* pacedDeltas(step, deltasOf(content, step.chunk), stage.timers);

  if (step.error !== undefined) throw scriptedError(step);
  if (step.hang === 'after') yield waitForEver;
  if (step.cut) return;
  const stopReason = step.stop_reason ?? (content.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn');
  yield { type: 'reply', reply: { content, stop_reason: stopReason, usage } };
}

/** The deltas with their waits, up to the one before which the step fails. */
function* pacedDeltas(step: PlayableStep, deltas: Iterable<ModelChunk>, timers: Timers): Generator<Beat, void, undefined> {
  const most = typeof step.error?.after === 'number' ? step.error.after : Number.POSITIVE_INFINITY;
  let sent = 0;
  for (const delta of deltas) {
    if (sent === most) return;
    if (sent > 0 && step.chunk_delay_ms !== undefined) yield waitFor(step.chunk_delay_ms, timers);
    const permission = step.pace?.(sent);
    if (permission !== undefined) yield waitUntil(permission);
    yield delta;
    sent += 1;
  }
}

function scriptedError(step: PlayableStep): unknown {
  if (step.error === undefined) return undefined;
  const { class: errorClass, message, status, retry_after_ms: retryAfterMs } = step.error;
  return new ModelError(errorClass, message ?? `the script plays a failure of class ${errorClass}`, { status, retryAfterMs });
}
