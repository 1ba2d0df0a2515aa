/**
 * One attempt of a model call, watched (L2, L9): it ends with a reply, with an error, or cut, and never later than the
 * watchdog or a stop says, whatever the model's stream does. Only content counts as a sign of life, not pings.
 */
import { ModelError } from '../errors.ts';
import type { ModelCallOptions, ModelChunk, ModelReply, ModelRequest } from '../ports.ts';
import { NO_USAGE, type Usage } from '../schema/usage.ts';
import { AttemptWatch } from './attempt-watch.ts';
import { checkedChunk, checkedReply } from './check-reply.ts';
import type { LoopContext } from './context.ts';
import type { Cut } from './interruption.ts';
import { classifyModelError } from './retry-policy.ts';

/** How an attempt ended. `text` is what had streamed of the reply by then. */
export type AttemptOutcome =
  | { readonly kind: 'reply'; readonly reply: ModelReply }
  | { readonly kind: 'failed'; readonly error: ModelError; readonly usage: Usage }
  | { readonly kind: 'cut'; readonly cut: Cut; readonly text: string; readonly usage: Usage };

const UNKNOWN_USAGE: Usage = { ...NO_USAGE, complete: false };

/** Calls the model once. Never throws. */
export async function callModel(run: LoopContext, request: ModelRequest, attempt: number): Promise<AttemptOutcome> {
  const watch = new AttemptWatch(run);
  const stream = new ReplyStream(run, attempt, watch);
  try {
    const answer = run.model.current.respond(request, new CallOptions(watch, run.log.state.iteration, attempt));
    if (isStream(answer)) return { kind: 'reply', reply: await stream.read(answer) };
    watch.expectWholeReply();
    return { kind: 'reply', reply: checkedReply(await watch.race(answer)) };
  } catch (error) {
    stream.flush();
    if (watch.cut !== undefined) return { kind: 'cut', cut: watch.cut, text: stream.text, usage: stream.usage };
    return { kind: 'failed', error: classifyModelError(watch.expired ?? error, run.agent.hooks?.classifyError), usage: stream.usage };
  } finally {
    watch.end();
  }
}

function isStream(answer: AsyncIterable<ModelChunk> | Promise<ModelReply>): answer is AsyncIterable<ModelChunk> {
  return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;
}

/** Lets a stream clean up. Nobody waits for it, since a dead socket must not delay the end, nor asks how it took its end. */
async function leave(iterator: AsyncIterator<ModelChunk>): Promise<void> {
  try {
    await iterator.return?.();
  } catch {
    // The reply is whole, or its own error is the one to tell.
  }
}

/** Reads a streamed reply: shows its pieces and keeps the text, in case it is cut. */
class ReplyStream {
  text = '';
  usage = UNKNOWN_USAGE;
  readonly #run: LoopContext;
  readonly #attempt: number;
  readonly #watch: AttemptWatch;
  readonly #shownText;
  readonly #shownThinking;

  constructor(run: LoopContext, attempt: number, watch: AttemptWatch) {
    this.#run = run;
    this.#attempt = attempt;
    this.#watch = watch;
    this.#shownText = run.log.redactor.stream();
    this.#shownThinking = run.log.redactor.stream();
  }

  async read(stream: AsyncIterable<ModelChunk>): Promise<ModelReply> {
    const iterator = stream[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await this.#watch.race(iterator.next());
        if (next.done) throw new ModelError('network', 'The reply ended before it was complete.');
        const chunk = checkedChunk(next.value);
        if (chunk.type === 'reply') return checkedReply(chunk.reply);
        this.#take(chunk);
      }
    } finally {
      void leave(iterator);
      this.flush();
    }
  }

  /** Shows what was held back in case it was the beginning of a key. */
  flush(): void {
    this.#show('text_delta', this.#shownText.flush());
    this.#show('thinking_delta', this.#shownThinking.flush());
  }

  #take(chunk: Exclude<ModelChunk, { type: 'reply' }>): void {
    switch (chunk.type) {
      case 'text_delta':
        this.text += chunk.text;
        this.#watch.content();
        this.#show('text_delta', this.#shownText.push(chunk.text));
        break;
      case 'thinking_delta':
        this.#watch.content();
        this.#show('thinking_delta', this.#shownThinking.push(chunk.text));
        break;
      case 'tool_input_delta':
        this.#watch.content();
        this.#showInput(chunk);
        break;
      case 'usage':
        this.usage = { ...chunk.usage, complete: false };
        break;
      default:
        chunk satisfies never;
    }
  }

  #showInput({ type, call, name, text }: Extract<ModelChunk, { type: 'tool_input_delta' }>): void {
    // A key split over pieces of arguments would show in none of them; with keys about, arguments are shown whole, later.
    if (this.#run.log.redactor.active) return;
    this.#run.log.show({ type, attempt: this.#attempt, call, ...(name !== undefined && { name }), text });
  }

  #show(type: 'text_delta' | 'thinking_delta', text: string): void {
    if (text !== '') this.#run.log.show({ type, attempt: this.#attempt, text });
  }
}

/** What a model is told beside the request. */
class CallOptions implements ModelCallOptions {
  readonly iteration: number;
  readonly attempt: number;
  readonly #watch: AttemptWatch;

  constructor(watch: AttemptWatch, iteration: number, attempt: number) {
    this.#watch = watch;
    this.iteration = iteration;
    this.attempt = attempt;
  }

  get signal(): AbortSignal {
    return this.#watch.signal;
  }
}
