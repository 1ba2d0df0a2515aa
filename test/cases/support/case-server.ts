/**
 * The scripted provider of the shared cases, inside a test: plays a case of the folder, or replies that a test writes in the
 * same format, and judges every request as a strict provider would. A request that it finds wrong fails the test.
 */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { sharedPath } from '../../support/shared-inputs.ts';

/** A piece of a streamed answer; the server's own format. */
type Part =
  | string
  | { readonly raw: string }
  | { readonly wait: number }
  | { readonly ev: string; readonly data: object }
  | ({ readonly anthropic: readonly (readonly unknown[])[] } & AnthropicEnd)
  | { readonly openai: readonly object[]; readonly done?: boolean };

interface AnthropicEnd {
  readonly stop?: string;
  readonly usage?: object;
  readonly usageStart?: object;
  /** The stream has no end: neither stop reason nor last event. */
  readonly noStop?: boolean;
}

/** One answer of the server. */
export interface CaseReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Part | readonly Part[];
  /** Bytes a write. */
  readonly split?: number;
  /** `cut` resets the connection, `hang` keeps it open. */
  readonly end?: 'cut' | 'hang';
}

/** A case: the nth request gets the nth reply. */
export interface Case {
  readonly replies: readonly CaseReply[];
  /** What the judge demands beyond what all servers do. */
  readonly check?: { readonly reasoning?: boolean; readonly gemini?: boolean; readonly alternate?: boolean };
}

/** A request as the server saw it. */
export interface SeenRequest {
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly problems: readonly string[];
  /** When its connection was closed; undefined while it is open. */
  readonly closedAt?: number;
}

/** A running server. */
export interface CaseServer {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  /** The messages of the nth request, from 0, as they were sent. */
  messages(nth: number): readonly SentMessage[];
}

/** A message in a provider's own words. */
export interface SentMessage {
  readonly role: string;
  readonly content: unknown;
  readonly [key: string]: unknown;
}

/** A case of the shared folder, by its id. */
export function sharedCase(id: string): Case {
  return JSON.parse(readFileSync(sharedPath('cases', `${id}.json`), 'utf8')) as Case;
}

/** Starts a server that plays the case until the test is over. The test fails when a request was not acceptable. */
export async function serveCase(given: string | Case): Promise<CaseServer> {
  const { start } = await import(pathToFileURL(sharedPath('cases', 'tools', 'wire-server.mjs')).href);
  const server: { url: string; seen: SeenRequest[]; close(): void } = await start(typeof given === 'string' ? sharedCase(given) : given, {
    strict: true,
  });
  onTestFinished(() => {
    server.close();
    expect(server.seen.flatMap(({ problems }) => problems)).toEqual([]);
  });
  return {
    url: server.url,
    seen: server.seen,
    messages: (nth) => (server.seen[nth]?.body['messages'] ?? []) as SentMessage[],
  };
}

/** An answer of Anthropic in blocks as `['text', 'hi']` or `['tool', id, name, input]`. */
export function anthropicReply(blocks: readonly (readonly unknown[])[], end: AnthropicEnd = {}): CaseReply {
  return { body: { anthropic: blocks, ...end } };
}

/** An answer of a Chat Completions server in deltas, and its finish reason. */
export function openaiReply(deltas: readonly object[], finish: string | null = 'stop'): CaseReply {
  return { body: { openai: [...deltas.map((d) => ({ d })), { f: finish }] } };
}

/** The delta of one whole call. */
export function openaiCall(id: string, name: string, args: string, index = 0): object {
  return { tool_calls: [{ index, id, type: 'function', function: { name, arguments: args } }] };
}

/** An answer that is an error. */
export function errorReply(status: number, type: string, message: string, headers: CaseReply['headers'] = {}): CaseReply {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ type: 'error', error: { type, message } }),
  };
}
