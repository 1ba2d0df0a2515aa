/**
 * A provider made of canned answers, over real HTTP: the nth request gets the nth answer. Bytes can be split, and an answer
 * can end properly, break off or never end. Every request is kept, with its body and the moment its client went away.
 */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One answer. A missing body means an empty one; status defaults to 200, content type to an event stream. */
export interface WireAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Bytes a write; default all in one. */
  readonly split?: number;
  /** `cut` resets the connection, `hang` keeps it open. Default: it ends as it should. */
  readonly end?: 'cut' | 'hang';
}

/** One request as it arrived. */
export interface WireRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
  /** Resolves when the connection of this request is closed, or its answer is over; to a word, so that a test can expect it. */
  readonly closed: Promise<'closed'>;
}

/** A running server. */
export interface WireServer {
  readonly url: string;
  readonly requests: readonly WireRequest[];
  /** Resolves when the next request that has not been waited for has arrived. */
  nextRequest(): Promise<WireRequest>;
  close(): Promise<void>;
}

/** Starts a server on a free port of this machine. A request too many is answered with status 500. */
export async function startWireServer(answers: readonly WireAnswer[]): Promise<WireServer> {
  const requests: WireRequest[] = [];
  const waiting: ((request: WireRequest) => void)[] = [];
  let awaited = 0;
  const server = createServer(async (incoming, response) => {
    const closed = new Promise<'closed'>((resolve) => response.on('close', () => resolve('closed')));
    let text = '';
    for await (const piece of incoming.setEncoding('utf8')) text += piece;
    const request = { path: incoming.url ?? '', headers: incoming.headers, body: JSON.parse(text), closed };
    requests.push(request);
    await play(answers[requests.length - 1] ?? { status: 500, body: 'no answer left' }, response);
    for (const tell of waiting.splice(0)) tell(request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    nextRequest() {
      const arrived = requests[awaited++];
      return arrived !== undefined ? Promise.resolve(arrived) : new Promise((resolve) => waiting.push(resolve));
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function play(answer: WireAnswer, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status ?? 200, { 'content-type': 'text/event-stream', ...answer.headers });
  response.flushHeaders();
  const bytes = Buffer.from(answer.body ?? '');
  const step = answer.split ?? Math.max(1, bytes.length);
  for (let at = 0; at < bytes.length; at += step) {
    // A write and a turn of the loop each, so that the pieces arrive as pieces.
    await new Promise<void>((resolve) => response.write(bytes.subarray(at, at + step), () => resolve()));
  }
  if (answer.end === 'cut') response.destroy();
  else if (answer.end !== 'hang') response.end();
}

/** Events as Anthropic sends them. */
export function anthropicStream(events: readonly ({ type: string } & Record<string, unknown>)[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

/** Chunks as a Chat Completions server sends them, and the line that ends the stream. */
export function chatStream(chunks: readonly unknown[], { done = true } = {}): string {
  return chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('') + (done ? 'data: [DONE]\n\n' : '');
}

/** A chunk with one choice. */
export function chatChunk(delta: unknown, finishReason: string | null = null): Record<string, unknown> {
  return { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finishReason }] };
}
