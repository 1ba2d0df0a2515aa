/**
 * The answer below the SDK. Both SDKs hide what decides whether a reply is whole: openai swallows the `[DONE]` line,
 * and both read on until the connection ends, even behind the last event. This `fetch` notes the last event, ends the
 * stream there, and keeps the text of an error, of which the SDKs keep only the forms they know.
 */
import type { FetchFunction } from './credentials.ts';

/** One request's answer, watched. */
export interface WatchedFetch {
  readonly fetch: FetchFunction;
  /** Whether a request left at all. */
  sent(): boolean;
  /** Whether the line came that only the end of a stream has. */
  ended(): boolean;
  /** Text of an answer that was an error; undefined where there was none. */
  errorText(): string | undefined;
}

/** A server that keeps the connection after the last event is cut off after this long; others leave it to the next request. */
const DRAIN_MS = 250;
const LONGEST_ERROR_TEXT = 65_536;

/** Wraps a `fetch` for one request. `lastLine` matches the beginning of the line that only the end of a stream has. */
export function watchStream(fetch: FetchFunction, lastLine: RegExp): WatchedFetch {
  const lines = new LineWatch(lastLine);
  let sent = false;
  let errorText: string | undefined;
  return {
    async fetch(input, init) {
      sent = true;
      const response = await fetch(input, init);
      if (response.body === null) return response;
      if (response.ok) return new Response(untilLastEvent(response.body, lines), response);
      errorText = await startOfText(response.body);
      return new Response(errorText, response);
    },
    sent: () => sent,
    ended: () => lines.found,
    errorText: () => errorText,
  };
}

/** Up to 64 KiB of a body as text; what comes behind that is not read. An answer that breaks off gives what came. */
export async function startOfText(body: ReadableStream<Uint8Array>): Promise<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    while (text.length < LONGEST_ERROR_TEXT) {
      const { value, done } = await reader.read();
      if (done) return text + decoder.decode();
      text += decoder.decode(value, { stream: true });
    }
    await reader.cancel();
  } catch {
    // The status is known; that its explanation broke off is not worth another error.
  }
  return text;
}

function untilLastEvent(body: ReadableStream<Uint8Array>, lines: LineWatch): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await reader.read();
      if (done) return controller.close();
      controller.enqueue(value);
      if (!lines.push(value)) return;
      controller.close();
      void drain(reader);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Lets the connection come to its own end, so that the next request can use it. Never rejects. */
async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const timer = setTimeout(() => reader.cancel().catch(() => undefined), DRAIN_MS);
  try {
    while (!(await reader.read()).done);
  } catch {
    // The reply is whole; how its connection ends is of no interest.
  } finally {
    clearTimeout(timer);
  }
}

const LF = 10;
const CR = 13;
/** The line that ends a stream is short; a longer one is not looked at. */
const LONGEST_LAST_LINE = 24;

/** Looks for one line in a stream of bytes, however they are split. Lines end with LF, CR or both. */
class LineWatch {
  readonly #lastLine: RegExp;
  readonly #line = new Uint8Array(LONGEST_LAST_LINE);
  #length = 0;
  found = false;

  constructor(lastLine: RegExp) {
    this.#lastLine = lastLine;
  }

  /** Takes a piece; true once the line has come. Runs over every byte of every stream, hence the plain loop. */
  push(bytes: Uint8Array): boolean {
    let length = this.#length;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] ?? LF;
      if (byte !== LF && byte !== CR) {
        if (length < LONGEST_LAST_LINE) this.#line[length] = byte;
        length++;
      } else {
        this.#endLine(length);
        length = 0;
      }
    }
    this.#length = length;
    return this.found;
  }

  #endLine(length: number): void {
    if (this.found || length === 0 || length > LONGEST_LAST_LINE) return;
    this.found = this.#lastLine.test(String.fromCharCode(...this.#line.subarray(0, length)));
  }
}
