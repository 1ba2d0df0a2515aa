/**
 * Anthropic's Messages API as a `Model`, through its own SDK, always streaming. The SDK loads before the first request, and
 * neither retries nor reads a key from the environment: retries are the loop's (L9), keys come from `env` or `apiKey`.
 */
import type { Stream } from '@anthropic-ai/sdk/core/streaming';
import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import type { Model, ModelCallOptions, ModelChunk, ModelRequest } from '../ports.ts';
import { DEFAULTS } from '../schema/config.ts';
import { AnthropicReply } from './anthropic-reply.ts';
import { ANTHROPIC, type AnthropicRequestOptions, anthropicBody } from './anthropic-request.ts';
import { type ThinkingStyle, thinkingStyleOf } from './anthropic-thinking.ts';
import { baseUrl, type Environment, type FetchFunction, requiredApiKey, type Setting } from './credentials.ts';
import { callProvider, NO_TIMEOUT_MS, type ProviderCall } from './provider-call.ts';
import { secretHeaders } from './provider-errors.ts';
import { watchStream } from './watch-stream.ts';

/** Options of `anthropicModel`. */
export interface AnthropicModelOptions {
  /** Name of the model, as in `claude-sonnet-4-5`. */
  readonly model: string;
  /** Wins over ANTHROPIC_API_KEY of `env`. */
  readonly apiKey?: string;
  /** Wins over ANTHROPIC_BASE_URL of `env`; default Anthropic's own API. Without `/v1`. */
  readonly baseUrl?: string;
  /** Where the key and the base URL are looked for; nothing else is. */
  readonly env?: Environment;
  readonly fetch?: FetchFunction;
  /** Whether requests are marked for the prompt cache; default true. */
  readonly promptCaching?: boolean;
  /** How the model is told how much to think; default by its name. */
  readonly thinkingStyle?: ThinkingStyle;
  /** Milliseconds since the epoch; asked only when an answer without a date says at which date to come again. */
  readonly now?: () => number;
}

/**
 * A model of Anthropic. Throws a `ConfigError` (`missing_api_key`, `invalid_api_key`, `invalid_base_url`) when it could not
 * make a request. An abort closes the connection.
 */
export function anthropicModel(options: AnthropicModelOptions): Model {
  const { model, env } = options;
  const key = requiredApiKey(`anthropic:${model}`, { given: options.apiKey, option: 'apiKey', env, variable: 'ANTHROPIC_API_KEY' });
  const url = baseUrl({ given: options.baseUrl, option: 'baseUrl', env, variable: 'ANTHROPIC_BASE_URL' });
  const requestOptions: AnthropicRequestOptions = {
    model,
    maxTokens: DEFAULTS.maxOutputTokens,
    thinkingStyle: options.thinkingStyle ?? thinkingStyleOf(model),
    promptCaching: options.promptCaching ?? true,
  };
  return {
    provider: ANTHROPIC,
    model,
    secrets: [key.value],
    requiredMaxOutputTokens: DEFAULTS.maxOutputTokens,
    async prepare() {
      await loadSdk();
    },
    respond: (request: ModelRequest, callOptions: ModelCallOptions): AsyncIterable<ModelChunk> =>
      callProvider(
        anthropicCall(request, { key, url, requestOptions, fetch: options.fetch ?? globalThis.fetch, now: options.now ?? Date.now }),
        callOptions,
      ),
  };
}

const MESSAGES_PATH = '/v1/messages';

/** The SDK, loaded when it is first asked for. */
const loadSdk = () => import('@anthropic-ai/sdk');

interface CallSettings {
  readonly key: Setting;
  readonly url: string | undefined;
  readonly requestOptions: AnthropicRequestOptions;
  readonly fetch: FetchFunction;
  readonly now: () => number;
}

function anthropicCall(request: ModelRequest, settings: CallSettings): ProviderCall {
  const watched = watchStream(settings.fetch, /^event: ?message_stop/);
  return {
    reply: new AnthropicReply(watched.ended),
    async open(signal) {
      const body = anthropicBody(request, settings.requestOptions);
      const { Anthropic } = await loadSdk();
      const client = new Anthropic({
        apiKey: settings.key.value,
        // Anything but undefined keeps the SDK from reading its own variables.
        baseURL: settings.url ?? null,
        maxRetries: 0,
        timeout: NO_TIMEOUT_MS,
        logLevel: 'off',
        fetch: watched.fetch,
      });
      // Not `messages.create`, which prints notices about models to the console: what is printed beside the events no replay can show.
      return client
        .post<Stream<RawMessageStreamEvent>>(MESSAGES_PATH, { body, stream: true, signal, headers: request.headers })
        .withResponse();
    },
    errorContext: () => ({
      provider: ANTHROPIC,
      keyName: settings.key.from,
      secrets: [settings.key.value, ...secretHeaders(request.headers)],
      now: settings.now,
      sent: watched.sent(),
      errorText: watched.errorText(),
    }),
  };
}
