/**
 * One attempt of a model call, watched (L2, L9): it ends with a reply, with an error, or cut, and never later than the
 * watchdog or a stop says, whatever the model's stream does. Only content counts as a sign of life, not pings.
 */
import { ModelError } from '../errors.ts';
import type { ModelCallOptions, ModelChunk, ModelReply, ModelRequest } from '../ports.ts';
import { DEFAULTS } from '../schema/config.ts';
import { NO_USAGE, type Usage } from '../schema/usage.ts';
import type { LoopContext } from './context.ts';
import type { Cut } from './interruption.ts';
import { LazySignal } from './lazy-signal.ts';
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
    const answer = run.model.respond(request, new CallOptions(watch, run.log.state.iteration, attempt));
    if (isStream(answer)) return { kind: 'reply', reply: await stream.read(answer) };
    watch.expectWholeReply();
    return { kind: 'reply', reply: await watch.race(answer) };
  } catch (error) {
    stream.flush();
    if (watch.cut !== undefined) return { kind: 'cut', cut: watch.cut, text: stream.text, usage: stream.usage };
    return { kind: 'failed', error: classifyModelError(watch.expired ?? error, run.agent.hooks?.classifyError), usage: stream.usage };
  } finally {
    watch.end();
  }
}

function isStream(answer: AsyncIterable<ModelChunk> | Promise<ModelReply>): answer is AsyncIterable<ModelChunk> {
  return Symbol.asyncIterator in answer;
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
        if (next.value.type === 'reply') return next.value.reply;
        this.#take(next.value);
      }
    } catch (error) {
      // Nobody waits for a stream that was left: a dead socket must not delay the end.
      void Promise.resolve(iterator.return?.()).catch(() => {});
      throw error;
    } finally {
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

/** The watchdog of one attempt: first content, gap, whole turn; and the ear for a cut of the run. */
class AttemptWatch {
  /** The cut that ended the attempt. */
  cut: Cut | undefined;
  /** The watchdog's error, when that ended the attempt. */
  expired: ModelError | undefined;
  readonly #run: LoopContext;
  readonly #abort = new LazySignal();
  readonly #forget: () => void;
  readonly #turnEnds: number;
  #contentDue: number;
  #hasContent = false;
  #cancelTimer: () => void = () => {};
  #reject: ((error: unknown) => void) | undefined;

  constructor(run: LoopContext) {
    this.#run = run;
    const now = run.log.clock.now();
    this.#turnEnds = now + DEFAULTS.turnMs;
    this.#contentDue = now + this.#patience;
    this.#arm(now);
    this.#forget = run.interruption.whenCut((cut) => {
      this.cut = cut;
      this.#giveUp(cut.reason);
    });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Nothing will come before all of it: only the time of the whole turn counts. */
  expectWholeReply(): void {
    this.#contentDue = Number.POSITIVE_INFINITY;
  }

  /** A piece of content came. */
  content(): void {
    const first = !this.#hasContent;
    this.#hasContent = true;
    const now = this.#run.log.clock.now();
    this.#contentDue = now + this.#patience;
    // A gap is given less time than the first content, so the timer that is set would come too late.
    if (first) this.#arm(now);
  }

  /** The promise's value, or a rejection as soon as the attempt is cut or expires. */
  race<T>(promise: PromiseLike<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      promise.then(resolve, reject);
      if (this.#abort.aborted !== undefined) reject(this.#abort.aborted.reason);
    });
  }

  end(): void {
    this.#cancelTimer();
    this.#forget();
    this.#reject = undefined;
  }

  get #patience(): number {
    return this.#run.log.state.config.idle_timeout_ms ?? (this.#hasContent ? DEFAULTS.contentGapMs : DEFAULTS.firstContentMs);
  }

  /** One timer, set for whichever is due first; content only moves the due time, so that a delta costs no timer. */
  #arm(now: number): void {
    this.#cancelTimer();
    const turnFirst = this.#turnEnds <= this.#contentDue;
    const due = turnFirst ? this.#turnEnds : this.#contentDue;
    const kind = turnFirst ? 'turn' : this.#hasContent ? 'content_gap' : 'first_content';
    this.#cancelTimer = this.#run.timers.set(Math.max(1, due - now), kind, () => this.#fired());
  }

  #fired(): void {
    const now = this.#run.log.clock.now();
    if (now < this.#contentDue && now < this.#turnEnds) {
      this.#arm(now);
      return;
    }
    const what = now >= this.#turnEnds ? `the turn took longer than ${DEFAULTS.turnMs} ms` : `no content came for ${this.#patience} ms`;
    this.expired = new ModelError('timeout', `The model call was given up: ${what}.`);
    this.#giveUp(this.expired);
  }

  #giveUp(reason: unknown): void {
    this.#abort.abort(reason);
    this.#reject?.(reason);
  }
}
