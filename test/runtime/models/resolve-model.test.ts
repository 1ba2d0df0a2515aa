/** Model specs, keys and base URLs: what is wrong with them is told before any run. */
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/runtime/errors.ts';
import { type ResolveModelOptions, resolveModel } from '../../../src/runtime/models/resolve-model.ts';

const ENV = { ANTHROPIC_API_KEY: 'sk-ant-0123456789', OPENAI_API_KEY: 'sk-oai-0123456789' };

/** The error that resolving a spec throws. */
function problem(spec: string, options: ResolveModelOptions = {}): ConfigError {
  try {
    resolveModel(spec, options);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error(`expected ${spec} to be refused`);
}

describe('a model spec', () => {
  it('makes a model of each provider, which registers its key', () => {
    expect(resolveModel('anthropic:claude-x', { env: ENV })).toMatchObject({
      provider: 'anthropic',
      model: 'claude-x',
      secrets: [ENV.ANTHROPIC_API_KEY],
      requiredMaxOutputTokens: 8_192,
    });
    expect(resolveModel('openai:gpt-x', { env: ENV })).toMatchObject({ provider: 'openai', model: 'gpt-x', secrets: [ENV.OPENAI_API_KEY] });
    expect(resolveModel('openai-compatible:org/model:free', { baseUrl: 'http://localhost:1/v1' })).toMatchObject({
      provider: 'openai-compatible',
      model: 'org/model:free',
      secrets: [],
    });
  });

  it('asks nobody for an output limit but Anthropic', () => {
    expect(resolveModel('openai:gpt-x', { env: ENV }).requiredMaxOutputTokens).toBeUndefined();
  });

  it('lets an explicit key win over the environment', () => {
    expect(resolveModel('openai:gpt-x', { env: ENV, apiKey: 'sk-mine-0123456789' }).secrets).toEqual(['sk-mine-0123456789']);
  });

  it('may have a scheme of the caller', () => {
    const own = resolveModel('openai:gpt-x', { env: ENV });

    expect(resolveModel('script:a.json', { schemes: { script: (name) => ({ ...own, model: name }) } }).model).toBe('a.json');
  });

  it.each(['', 'gpt-4', 'nobody:model', 'openai:', ':x', 'constructor:x'])('%j is refused with what was expected', (spec) => {
    const { code, message } = problem(spec, { env: ENV, schemes: { script: () => resolveModel('openai:x', { env: ENV }) } });

    expect(code).toBe('unknown_model_spec');
    expect(message).toContain(JSON.stringify(spec));
    for (const form of ['anthropic:<model>', 'openai:<model>', 'openai-compatible:<model>', 'script:<file>'])
      expect(message).toContain(form);
  });

  it('that names a model only is answered with a guess', () => {
    expect(problem('claude-sonnet-4-5').message).toContain('anthropic:claude-sonnet-4-5');
    expect(problem('gpt-4.1').message).toContain('openai:gpt-4.1');
  });
});

describe('a key', () => {
  it.each([
    ['anthropic:claude-x', 'ANTHROPIC_API_KEY'],
    ['openai:gpt-x', 'OPENAI_API_KEY'],
  ])('for %s that is missing is told by the name of its variable', (spec, variable) => {
    for (const env of [undefined, {}, { [variable]: ' ' }]) {
      const error = problem(spec, { env });
      expect(error.code).toBe('missing_api_key');
      expect(error.message).toContain(variable);
      expect(error.message).toContain(spec);
    }
  });

  it.each(['sk-line\nbreak-0123', 'sk-blank 0123', 'sk-ünï-0123'])('that no header can carry is refused and not shown', (key) => {
    for (const options of [{ apiKey: key }, { env: { OPENAI_API_KEY: key } }]) {
      const error = problem('openai:gpt-x', options);
      expect(error.code).toBe('invalid_api_key');
      expect(error.message).not.toContain('0123');
    }
  });

  it('may end with a line break, which is not part of it', () => {
    expect(resolveModel('openai:gpt-x', { apiKey: 'sk-0123456789\n' }).secrets).toEqual(['sk-0123456789']);
  });
});

describe('a base URL', () => {
  it('is needed for a compatible server, and told by the name of its variable', () => {
    const error = problem('openai-compatible:m', { env: ENV });

    expect(error.code).toBe('missing_base_url');
    expect(error.message).toContain('OPENAI_BASE_URL');
    expect(resolveModel('openai-compatible:m', { env: { OPENAI_BASE_URL: 'http://localhost:1/v1' } }).model).toBe('m');
  });

  it.each(['localhost:8080', 'not a url', 'file:///etc', 'http://user:hunter2@host/v1', 'https://host/v1?key=hunter2'])(
    '%s is refused',
    (baseUrl) => {
      for (const spec of ['anthropic:m', 'openai:m', 'openai-compatible:m']) {
        const error = problem(spec, { env: ENV, baseUrl });
        expect(error.code).toBe('invalid_base_url');
        expect(error.message).not.toContain('hunter2');
      }
    },
  );
});
