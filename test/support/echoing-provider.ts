/**
 * A provider with a mind of its own, over real HTTP in both wire formats: asked something, it calls the first tool that it is
 * offered, with arguments that the test chose; given a result, it answers with the text of that result. It serves any number of
 * conversations at once, and keeps every request.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropicStream, chatChunk, chatStream } from './wire-server.ts';

/** A running provider. */
export interface EchoingProvider {
  /** Base URL for Anthropic's SDK; that for OpenAI's is the same with `/v1`. */
  readonly url: string;
  readonly requests: readonly EchoRequest[];
  close(): Promise<void>;
}

/** A request as it arrived, as far as the provider looks at it. */
export interface EchoRequest {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly { readonly name?: string; readonly function?: { readonly name: string } }[];
}

/** What the answer says in front of the result. */
export const ECHO_PREFIX = 'This is what the tool said:\n';

/** Starts a provider on a free port of this machine. `args` are the arguments of every call. */
export async function startEchoingProvider(args: object): Promise<EchoingProvider> {
  const requests: EchoRequest[] = [];
  const server = createServer(async (incoming, response) => {
    let text = '';
    for await (const piece of incoming.setEncoding('utf8')) text += piece;
    const request = JSON.parse(text) as EchoRequest;
    requests.push(request);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(incoming.url?.includes('chat/completions') ? chatAnswer(request, args) : anthropicAnswer(request, args));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function anthropicAnswer(request: EchoRequest, args: object): string {
  const result = anthropicResult(request.messages.at(-1)?.content);
  const block =
    result === undefined
      ? [{ type: 'tool_use', id: `toolu_${request.messages.length}`, name: request.tools?.[0]?.name, input: {} }, inputDelta(args)]
      : [
          { type: 'text', text: '' },
          { type: 'text_delta', text: ECHO_PREFIX + result },
        ];
  const [content_block, delta] = block;
  return anthropicStream([
    {
      type: 'message_start',
      message: { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], usage: { input_tokens: 5 } },
    },
    { type: 'content_block_start', index: 0, content_block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: result === undefined ? 'tool_use' : 'end_turn' }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ]);
}

function inputDelta(args: object) {
  return { type: 'input_json_delta', partial_json: JSON.stringify(args) };
}

/** Text of the tool result in the content of a user message; undefined where there is none. */
function anthropicResult(content: unknown): string | undefined {
  const blocks = (Array.isArray(content) ? content : []) as { type: string; content: { text?: string }[] }[];
  return blocks
    .find(({ type }) => type === 'tool_result')
    ?.content.map(({ text }) => text ?? '')
    .join('');
}

function chatAnswer({ messages, tools }: EchoRequest, args: object): string {
  const last = messages.at(-1);
  if (last?.role === 'tool') return chatStream([chatChunk({ content: ECHO_PREFIX + last.content }), chatChunk({}, 'stop')]);
  const called = { name: tools?.[0]?.function?.name, arguments: JSON.stringify(args) };
  const call = { index: 0, id: `call_${messages.length}`, type: 'function', function: called };
  return chatStream([chatChunk({ tool_calls: [call] }), chatChunk({}, 'tool_calls')]);
}
