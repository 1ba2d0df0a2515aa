/** What a provider's error says about itself, and what can be done about it. */
import { describe, expect, it } from 'vitest';
import { ModelError } from '../../../src/runtime/errors.ts';
import { readErrorBody } from '../../../src/runtime/models/error-body.ts';
import { classOfError } from '../../../src/runtime/models/error-class.ts';
import { type ErrorContext, secretHeaders, toModelError } from '../../../src/runtime/models/provider-errors.ts';
import { retryAfterMs } from '../../../src/runtime/models/retry-after.ts';

const NOW = Date.parse('2026-12-01T10:00:00Z');
const CONTEXT: ErrorContext = {
  provider: 'anthropic',
  keyName: 'ANTHROPIC_API_KEY',
  secrets: ['sk-secret-0123'],
  now: () => NOW,
  sent: true,
};

function withCode(message: string, code: string): Error {
  return Object.assign(new Error(message), { code });
}

describe('the time to wait before another attempt', () => {
  const wait = (headers: Record<string, string>) => retryAfterMs(new Headers(headers), () => NOW);

  it.each([
    [{ 'retry-after': '5' }, 5_000],
    [{ 'retry-after': '0.25' }, 250],
    [{ 'retry-after': '277403' }, 277_403_000],
    [{ 'retry-after-ms': '1500.4', 'retry-after': '9' }, 1_501],
    [{ 'retry-after': 'Tue, 01 Dec 2026 10:00:02 GMT' }, 2_000],
    [{ 'retry-after': 'Tue, 01 Dec 2026 10:00:02 GMT', date: 'Tue, 01 Dec 2026 09:59:00 GMT' }, 62_000],
    [{ 'retry-after': 'Tue, 01 Dec 2026 09:59:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '-5' }, undefined],
    [{}, undefined],
  ])('in %j is %s ms', (headers, expected) => {
    expect(wait(headers)).toBe(expected);
  });
});

describe('the body of an error', () => {
  it.each([
    ['{"type":"error","error":{"type":"rate_limit_error","message":"quota"}}', { message: 'quota', names: ['rate_limit_error'] }],
    [
      '{"error":{"message":"no","type":"invalid_request_error","code":"invalid_api_key"}}',
      { message: 'no', names: ['invalid_api_key', 'invalid_request_error'] },
    ],
    ['{"object":"error","message":"too long","code":400}', { message: 'too long', status: 400 }],
    [
      '[{"error":{"code":429,"message":"later","status":"RESOURCE_EXHAUSTED"}}]',
      { message: 'later', names: ['RESOURCE_EXHAUSTED'], status: 429 },
    ],
    ['{"error":"model not found"}', { message: 'model not found' }],
    ['{"detail":"field required"}', { message: 'field required' }],
    ['<html><body><h1>502 Bad\nGateway</h1></body></html>', { message: '502 Bad Gateway' }],
    ['', { message: 'it did not say why' }],
    ['{"odd":1}', { message: '{"odd":1}' }],
  ])('%s is read', (body, expected) => {
    expect(readErrorBody(body)).toMatchObject(expected);
  });

  it('is cut where it is long', () => {
    expect(readErrorBody('x'.repeat(10_000)).message.length).toBeLessThan(600);
  });
});

describe('the class of an error', () => {
  it.each([
    'prompt is too long: 208310 tokens > 200000 maximum',
    'input length and `max_tokens` exceed context limit: 199000 + 8192 > 200000',
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
    'the request exceeds the available context size. try increasing the context size',
    'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    'Please reduce the length of the messages or completion.',
    "This model's maximum prompt length is 131072 but the request contains 150000 tokens.",
    'Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 41000.',
  ])('is context_overflow for “%s”', (message) => {
    expect(classOfError({ message, names: [], status: undefined }, 400)).toBe('context_overflow');
  });

  it.each([
    ['max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens', 400, 'invalid_request'],
    ["Invalid 'messages[1].tool_calls[0].id': string too long.", 400, 'invalid_request'],
    ['Your credit balance is too low', 402, 'auth'],
    ['Request exceeds the maximum allowed number of bytes.', 413, 'context_overflow'],
    ['Overloaded', 529, 'overloaded'],
    ['Gateway timeout', 504, 'timeout'],
  ] as const)('of “%s” with status %i is %s', (message, status, expected) => {
    expect(classOfError({ message, names: [], status: undefined }, status)).toBe(expected);
  });
});

describe('an error of the connection', () => {
  it.each([
    [new TypeError('fetch failed', { cause: withCode('connect ECONNREFUSED 127.0.0.1:1', 'ECONNREFUSED') }), 'network'],
    [new TypeError('terminated', { cause: withCode('other side closed', 'UND_ERR_SOCKET') }), 'network'],
    [new Error('Network connection lost.'), 'network'],
    [new SyntaxError('Unexpected end of JSON input'), 'network'],
    [new TypeError('fetch failed', { cause: withCode('Headers Timeout Error', 'UND_ERR_HEADERS_TIMEOUT') }), 'timeout'],
    [withCode('connect ETIMEDOUT', 'ETIMEDOUT'), 'timeout'],
    [new Error('Request timed out.'), 'timeout'],
    ['a text', 'network'],
  ])('%s is of class %s', (error, errorClass) => {
    const found = toModelError(error, CONTEXT);

    expect(found).toMatchObject({ errorClass, retryable: true, status: undefined });
    expect(found.cause).toBe(error);
  });

  it('names the innermost cause and its code', () => {
    const refused = new TypeError('fetch failed', { cause: new AggregateError([], '') });
    Object.assign(refused.cause as object, { code: 'ECONNREFUSED' });

    expect(toModelError(refused, CONTEXT).message).toContain('ECONNREFUSED');
  });

  it('is a fault of the request where nothing had been sent', () => {
    expect(toModelError(new TypeError('invalid header value'), { ...CONTEXT, sent: false })).toMatchObject({
      errorClass: 'invalid_request',
    });
  });

  it('is kept where it is a ModelError already', () => {
    const own = new ModelError('timeout', 'mine');

    expect(toModelError(new Error('wrapped', { cause: own }), CONTEXT)).toBe(own);
  });

  it('is redacted before it is cut, so that no half of a key is left', () => {
    const text = JSON.stringify({ error: { message: `${'x'.repeat(490)} ${CONTEXT.secrets[0]}` } });
    const answered = Object.assign(new Error('400'), { status: 400, headers: new Headers(), error: undefined });

    expect(toModelError(answered, { ...CONTEXT, errorText: text }).message).not.toContain('sk-sec');
  });

  it('holds no secret in its own texts nor in those of its causes', () => {
    const secrets = ['sk-secret-0123', ...secretHeaders({ Authorization: 'Bearer hidden-token-1', 'x-trace': 'visible-trace' })];
    const error = new TypeError('fetch failed: visible-trace', { cause: new Error('invalid value sk-secret-0123 hidden-token-1') });

    const found = toModelError(error, { ...CONTEXT, secrets });

    expect(String(found.cause)).toContain('visible-trace');
    expect(`${found.message} ${found.stack} ${String(found.cause)} ${String((found.cause as Error).cause)}`).not.toMatch(
      /sk-secret|hidden-token/,
    );
  });
});
