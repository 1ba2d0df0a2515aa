/**
 * One tool call, from its intent to its one result (L2, L4). The intent is journaled, and for anything but a `read` kept,
 * before the tool runs. Whatever the tool does, a stop or its time limit ends the call within the grace period.
 */
import type { Ending } from '../ending.ts';
import { describeError } from '../errors.ts';
import type { StreamRedactor } from '../redactor.ts';
import { DEFAULTS } from '../schema/config.ts';
import type { DurableEventOf, Unstamped } from '../schema/event.ts';
import type { JsonObject, JsonValue } from '../schema/json.ts';
import type { ResultContent, ToolOutcome, ToolUseBlock } from '../schema/message.ts';
import { capBlocks } from '../tools/cap-blocks.ts';
import { plainCopy, renderValue } from '../tools/render-value.ts';
import type { Tool, ToolContext } from '../tools/tool.ts';
import { errorResult, type ToolResult, toToolResult } from '../tools/tool-result.ts';
import type { LoopContext } from './context.ts';
import { LazySignal } from './lazy-signal.ts';

/** A call that may run: checked, with the input its tool gets. */
export interface PlannedCall {
  readonly call: ToolUseBlock;
  readonly tool: Tool;
  readonly input: unknown;
  readonly args: JsonObject;
}

type ResultFacts = Unstamped<DurableEventOf<'tool_result'>>;

/** How a call's execution went; `why` says what cut it, if anything did. */
interface Performed {
  readonly why?: 'timeout' | 'interrupted';
  readonly result?: { readonly value: unknown } | { readonly error: unknown };
}

/** Events that may wait for the journal before the loop waits for it as well (L8); only a reply with very many `read` calls gets there. */
const LONGEST_BACKLOG = 512;

/** Runs a call and writes its events. Gives the ending of the run where the journal cannot keep the intent of a `write`. */
export async function executeCall(run: LoopContext, planned: PlannedCall): Promise<Ending | undefined> {
  const { log } = run;
  const { call, tool, args } = planned;
  const { effect } = tool.definition;
  log.write({ type: 'tool_started', call_id: call.call_id, name: call.name, arguments: args, effect });
  if (effect !== 'read' || log.backlog > LONGEST_BACKLOG) {
    await run.interruption.orCut(log.commit());
    if (effect === 'write' && log.journalFailure !== undefined && run.onJournalError === 'end') {
      writeNotRun(run, call, 'This call was not run: the journal that must hold its intent cannot be written.');
      return { reason: 'error', error: { code: 'journal_unavailable', message: describeError(log.journalFailure) } };
    }
    if (run.interruption.cut !== undefined) {
      writeNotRun(run, call, `This call was not run: the run was ended (${run.interruption.cut.ending.reason}).`);
      return undefined;
    }
  }
  const started = log.clock.now();
  const performed = await perform(run, planned);
  const took = log.clock.now() - started;
  const { outcome, content, is_error, dropped_bytes } = resultOf(planned, performed);
  const { call_id, name } = call;
  const result: ResultFacts = { type: 'tool_result', call_id, name, content, is_error, outcome, duration_ms: took };
  if (dropped_bytes !== undefined && dropped_bytes > 0) result.dropped_bytes = dropped_bytes;
  log.write(result);
  return undefined;
}

/** Writes the result of a call that never ran. */
export function writeNotRun(run: LoopContext, call: ToolUseBlock, text: string): void {
  writeRefusal(run, call, 'not_run', text);
}

/** Writes an error result for a call that the loop itself answers. */
export function writeRefusal(run: LoopContext, call: ToolUseBlock, outcome: ToolOutcome, text: string): void {
  const content: ResultContent[] = [{ type: 'text', text }];
  run.log.write({ type: 'tool_result', call_id: call.call_id, name: call.name, content, is_error: true, outcome });
}

function perform(run: LoopContext, planned: PlannedCall): Promise<Performed> {
  const context = new CallContext(run, planned.call.call_id);
  try {
    const returned: unknown = planned.tool.execute(planned.input, context);
    if (!isThenable(returned)) return Promise.resolve({ result: { value: returned } });
    // Made a promise of, since a `then` may be anybody's: it may throw, call twice, or give another promise.
    return watch(run, planned, context, Promise.resolve(returned));
  } catch (error) {
    return Promise.resolve({ result: { error } });
  }
}

/** Waits for the tool, for a cut or for its time limit; behind the last two, for at most the grace period. */
function watch(run: LoopContext, planned: PlannedCall, context: CallContext, returned: PromiseLike<unknown>): Promise<Performed> {
  return new Promise((resolve) => {
    let why: Performed['why'];
    let cancelGrace: () => void = () => {};
    const settle = (performed: Performed): void => {
      context.end();
      cancelTimeout();
      cancelGrace();
      forget();
      resolve(why === undefined ? performed : { ...performed, why });
    };
    const giveUp = (cause: NonNullable<Performed['why']>, reason: unknown): void => {
      if (why !== undefined) return;
      why = cause;
      cancelGrace = run.timers.set(run.graceMs, 'grace', () => settle({}));
      context.abort(reason);
    };
    const limit = planned.tool.timeoutMs ?? DEFAULTS.toolTimeoutMs;
    const cancelTimeout = run.timers.set(limit, 'tool_timeout', () => giveUp('timeout', `timeout of ${limit} ms`));
    let forget: () => void = () => {};
    forget = run.interruption.whenCut((cut) => giveUp('interrupted', cut.reason));
    // An abandoned tool may still reject much later: this handler is then the one that keeps it from being unhandled.
    returned.then(
      (value) => settle({ result: { value } }),
      (error: unknown) => settle({ result: { error } }),
    );
  });
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

function resultOf(planned: PlannedCall, { why, result }: Performed): ToolResult & { readonly outcome: ToolOutcome } {
  const capBytes = planned.tool.resultCapBytes ?? DEFAULTS.resultCapBytes;
  if (why !== undefined || result === undefined) return cutResult(planned, why, result, capBytes);
  const told = 'value' in result ? toToolResult(result.value, { capBytes }) : errorResult(result.error, { capBytes });
  return { ...told, outcome: told.is_error ? 'error' : 'ok' };
}

/** What cut the call, and what the tool had to say all the same; both together stay within the cap. */
function cutResult(
  planned: PlannedCall,
  why: Performed['why'],
  result: Performed['result'],
  capBytes: number,
): ToolResult & { readonly outcome: ToolOutcome } {
  const text = cutNote(planned, why);
  const said = result !== undefined && 'value' in result ? toToolResult(result.value, { capBytes: capBytes - text.length }) : undefined;
  const capped = capBlocks([{ type: 'text', text }, ...(said?.content ?? [])], capBytes);
  const droppedBytes = (said?.dropped_bytes ?? 0) + capped.droppedBytes;
  return {
    content: capped.content,
    is_error: true,
    ...(droppedBytes > 0 && { dropped_bytes: droppedBytes }),
    outcome: why === 'timeout' ? 'timeout' : 'interrupted',
  };
}

function cutNote(planned: PlannedCall, why: Performed['why']): string {
  if (why !== 'timeout') return 'This call was interrupted: it had started and may have had effects.';
  return `This call timed out after ${planned.tool.timeoutMs ?? DEFAULTS.toolTimeoutMs} ms: it had started and may have had effects.`;
}

/** Characters of live output that one call may show (L8); its result has a cap of its own. */
const MOST_SHOWN = 1_048_576;
const NOT_SHOWN = '\n[further output of this call is not shown]\n';

/** What a running tool may use. */
class CallContext implements ToolContext {
  readonly callId: string;
  readonly runId: string;
  readonly #run: LoopContext;
  readonly #abort = new LazySignal();
  #printed: StreamRedactor | undefined;
  #shown = 0;

  constructor(run: LoopContext, callId: string) {
    this.#run = run;
    this.callId = callId;
    this.runId = run.log.runId;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  abort(reason: unknown): void {
    this.#abort.abort(reason);
  }

  /** What a tool hands over is anybody's value, and may change behind the call: the event gets a plain copy. */
  emit = (name: string, data?: JsonValue): void => {
    const { redactor } = this.#run.log;
    const plain = redactor.value(plainCopy(data)) as JsonValue | undefined;
    const event = { type: 'custom' as const, call_id: this.callId, name: redactor.text(renderValue(name)) };
    this.#show(plain === undefined ? event : { ...event, data: plain });
  };

  output = (text: string): void => {
    this.#printed ??= this.#run.log.redactor.stream();
    this.#print(this.#printed.push(renderValue(text)));
  };

  /** Shows what was held back in case it was the beginning of a key. */
  end(): void {
    this.#print(this.#printed?.flush() ?? '');
  }

  child = (pid: number, state: 'started' | 'exited'): void => this.#run.onChild(pid, state);

  #print(text: string): void {
    if (text === '' || this.#shown > MOST_SHOWN) return;
    this.#shown += text.length;
    const rest = this.#shown > MOST_SHOWN ? `${text.slice(0, text.length - (this.#shown - MOST_SHOWN))}${NOT_SHOWN}` : text;
    this.#show({ type: 'tool_output', call_id: this.callId, text: rest });
  }

  #show(event: Parameters<LoopContext['log']['show']>[0]): void {
    // A tool that was abandoned may go on talking; `done` is the last event all the same.
    if (this.#run.log.state.done === undefined) this.#run.log.show(event);
  }
}
