/**
 * One call of a provider through its SDK: the request goes out, the stream comes in as chunks, the reply is the last of
 * them. What goes wrong on the way is a `ModelError`. Nothing is retried and nothing is timed here: the loop does that.
 */
import { ModelError } from '../errors.ts';
import type { ModelCallOptions, ModelChunk, ModelReply } from '../ports.ts';
import { type ErrorContext, noStreamError, toModelError } from './provider-errors.ts';
import { startOfText } from './watch-stream.ts';

/** The longest that a timer can hold: it stands where an SDK would otherwise end a request by a time of its own. */
export const NO_TIMEOUT_MS = 2 ** 31 - 1;

/** Makes a reply of the events of a stream. */
export interface ReplyBuilder {
  /** Takes one event and gives what of it the loop should see. Tolerates anything that JSON can be. */
  take(event: unknown): Iterable<ModelChunk>;
  /** The whole reply; undefined when the stream ended before the reply did. */
  finish(): ModelReply | undefined;
}

/** A call ready to be made. */
export interface ProviderCall {
  readonly reply: ReplyBuilder;
  /** Sends the request. Resolves when the answer's head is there. */
  open(signal: AbortSignal): Promise<{ readonly data: AsyncIterable<unknown>; readonly response: Response }>;
  /** What is known for an error now. */
  errorContext(): ErrorContext;
}

/**
 * Makes the call. Throws a `ModelError`; after an abort of `options.signal` its reason. Leaving the iteration, like an
 * abort, closes the connection.
 */
export async function* callProvider(call: ProviderCall, { signal }: Pick<ModelCallOptions, 'signal'>): AsyncGenerator<ModelChunk> {
  throwIfAborted(signal);
  // A signal of its own for each call: the SDKs leave listeners behind on the one they are given.
  const own = new AbortController();
  const abort = (): void => own.abort(signal.reason);
  const fail = (error: unknown): never => {
    throwIfAborted(signal);
    throw toModelError(error, call.errorContext());
  };
  signal.addEventListener('abort', abort, { once: true });
  let events: AsyncIterator<unknown> | undefined;
  try {
    // Iterated by hand: only what the SDK throws is an error of the provider, and a delegated generator costs a delta twice as much.
    events = await openEvents(call, own.signal).catch(fail);
    for (let event = await events.next().catch(fail); !event.done; event = await events.next().catch(fail)) {
      for (const chunk of call.reply.take(event.value)) yield chunk;
    }
    // Both SDKs end an aborted stream as if it were over.
    throwIfAborted(signal);
    yield { type: 'reply', reply: finishedReply(call) };
  } finally {
    signal.removeEventListener('abort', abort);
    await events?.return?.();
  }
}

async function openEvents(call: ProviderCall, signal: AbortSignal): Promise<AsyncIterator<unknown>> {
  const { data, response } = await call.open(signal);
  await refuseOtherContent(response, call.errorContext());
  return data[Symbol.asyncIterator]();
}

function finishedReply(call: ProviderCall): ModelReply {
  const reply = call.reply.finish();
  if (reply !== undefined) return reply;
  throw new ModelError('network', `The stream of ${call.errorContext().provider} ended before the reply was complete.`);
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw signal.reason;
}

/** A page or a JSON answer with status 200 would be a stream without any event. */
async function refuseOtherContent(response: Response, context: ErrorContext): Promise<void> {
  const type = response.headers.get('content-type') ?? '';
  if (!/html|json|xml/i.test(type)) return;
  throw noStreamError(type, response.body === null ? '' : await startOfText(response.body), context);
}
