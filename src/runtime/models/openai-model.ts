/**
 * Chat Completions as a `Model`: OpenAI itself, and any server that speaks the same format. Through OpenAI's SDK, always
 * streaming. The SDK loads before the first request, and neither retries nor reads a key from the environment.
 */

import { ConfigError } from '../errors.ts';
import type { Model, ModelCallOptions, ModelChunk, ModelRequest } from '../ports.ts';
import { apiKey, baseUrl, type Environment, type FetchFunction, requiredApiKey, type Setting, type SettingSources } from './credentials.ts';
import { OpenAiReply } from './openai-reply.ts';
import { type OpenAiRequestOptions, openAiBody } from './openai-request.ts';
import { callProvider, NO_TIMEOUT_MS, type ProviderCall } from './provider-call.ts';
import { secretHeaders } from './provider-errors.ts';
import { watchStream } from './watch-stream.ts';

/** Options of `openaiModel` and `openaiCompatibleModel`. */
export interface OpenAiModelOptions {
  /** Name of the model, as the server knows it. */
  readonly model: string;
  /** Wins over OPENAI_API_KEY of `env`. */
  readonly apiKey?: string;
  /** Wins over OPENAI_BASE_URL of `env`. With `/v1`, where the server has it. */
  readonly baseUrl?: string;
  /** Where the key and the base URL are looked for; nothing else is. */
  readonly env?: Environment;
  /**
   * Name of the provider in blocks, events and prices; default `openai` or `openai-compatible`. Reasoning goes back only
   * to the provider of the same name.
   */
  readonly provider?: string;
  readonly fetch?: FetchFunction;
  /** Milliseconds since the epoch; asked only when an answer without a date says at which date to come again. */
  readonly now?: () => number;
}

/** Where a server asks for no key nothing is sent in its place, but the SDK insists on being given one. */
const WITHOUT_KEY = { apiKey: 'no-key', defaultHeaders: { authorization: null } } as const;

/**
 * A model of OpenAI. Throws a `ConfigError` (`missing_api_key`, `invalid_api_key`, `invalid_base_url`) when it could not make
 * a request. An abort closes the connection.
 */
export function openaiModel(options: OpenAiModelOptions): Model {
  const { model, provider = 'openai' } = options;
  const key = requiredApiKey(`openai:${model}`, keySources(options));
  const url = baseUrl(urlSources(options)) ?? 'https://api.openai.com/v1';
  // OpenAI takes ids of at most 40 characters.
  return chatModel(options, {
    key,
    url,
    request: { model, provider, maxTokensField: 'max_completion_tokens', acceptedCallId: /^.{1,40}$/s },
  });
}

/**
 * A model behind a server that speaks OpenAI's format. Needs a base URL; a key is sent where there is one. Throws a
 * `ConfigError` (`missing_base_url`, `invalid_base_url`, `invalid_api_key`) when it could not make a request. An abort closes the connection.
 */
export function openaiCompatibleModel(options: OpenAiModelOptions): Model {
  const { model, provider = 'openai-compatible' } = options;
  const url = baseUrl(urlSources(options));
  if (url === undefined) {
    throw new ConfigError(
      'missing_base_url',
      `There is no base URL for the model openai-compatible:${model}: OPENAI_BASE_URL is not set. Set it, or give the option baseUrl (--base-url at the command line), such as http://localhost:8080/v1.`,
    );
  }
  const key = apiKey(keySources(options));
  return chatModel(options, { key, url, request: { model, provider, maxTokensField: 'max_tokens', acceptedCallId: /./s } });
}

function keySources({ apiKey: given, env }: OpenAiModelOptions): SettingSources {
  return { given, option: 'apiKey', env, variable: 'OPENAI_API_KEY' };
}

function urlSources({ baseUrl: given, env }: OpenAiModelOptions): SettingSources {
  return { given, option: 'baseUrl', env, variable: 'OPENAI_BASE_URL' };
}

interface ChatSettings {
  readonly key: Setting | undefined;
  readonly url: string;
  readonly request: OpenAiRequestOptions;
}

function chatModel(options: OpenAiModelOptions, settings: ChatSettings): Model {
  return {
    provider: settings.request.provider,
    model: options.model,
    secrets: settings.key === undefined ? [] : [settings.key.value],
    async prepare() {
      await loadSdk();
    },
    respond: (request: ModelRequest, callOptions: ModelCallOptions): AsyncIterable<ModelChunk> =>
      callProvider(chatCall(request, options, settings), callOptions),
  };
}

/** The SDK, loaded when it is first asked for. */
const loadSdk = () => import('openai');

function chatCall(request: ModelRequest, options: OpenAiModelOptions, { key, url, request: requestOptions }: ChatSettings): ProviderCall {
  const watched = watchStream(options.fetch ?? globalThis.fetch, /^data: ?\[DONE\]/);
  return {
    reply: new OpenAiReply(requestOptions.provider, watched.ended),
    async open(signal) {
      const body = openAiBody(request, requestOptions);
      const { OpenAI } = await loadSdk();
      const client = new OpenAI({
        ...(key === undefined ? WITHOUT_KEY : { apiKey: key.value }),
        baseURL: url,
        // Anything but undefined keeps the SDK from reading its own variables.
        organization: null,
        project: null,
        adminAPIKey: null,
        webhookSecret: null,
        maxRetries: 0,
        timeout: NO_TIMEOUT_MS,
        logLevel: 'off',
        fetch: watched.fetch,
      });
      return client.chat.completions.create(body, { signal, headers: request.headers }).withResponse();
    },
    errorContext: () => ({
      provider: requestOptions.provider,
      keyName: key?.from ?? 'OPENAI_API_KEY',
      secrets: [...(key === undefined ? [] : [key.value]), ...secretHeaders(request.headers)],
      now: options.now ?? Date.now,
      sent: watched.sent(),
      errorText: watched.errorText(),
    }),
  };
}
