import { describe, expect, it } from 'vitest';
import { ALLOWED_VARIABLES, commandEnvironment, RUNTIME_KEYS } from '../../../src/node/command/command-environment.ts';

const allowed = Object.fromEntries(ALLOWED_VARIABLES.map((name) => [name, `value of ${name}`]));
const keys = Object.fromEntries(RUNTIME_KEYS.map((name) => [name, 'secret']));
const env = { ...allowed, ...keys, GITHUB_TOKEN: 'token', UNSET: undefined, OTHER: 'other' };

describe('The environment of a command', () => {
  it('is the allowlist and nothing else', () => {
    expect(commandEnvironment({ kind: 'allowlist', pass: [], set: {} }, env)).toEqual(allowed);
  });

  it('holds only what is set', () => {
    expect(commandEnvironment({ kind: 'allowlist', pass: ['UNSET', 'MISSING'], set: {} }, { PATH: '/bin' })).toEqual({ PATH: '/bin' });
  });

  it('has what the manifest passes on and sets', () => {
    const rule = { kind: 'allowlist', pass: ['GITHUB_TOKEN'], set: { LANG: 'C', MODE: 'fast' } } as const;

    expect(commandEnvironment(rule, env)).toEqual({ ...allowed, GITHUB_TOKEN: 'token', LANG: 'C', MODE: 'fast' });
  });

  it('inherits everything but the keys of the runtime', () => {
    expect(commandEnvironment({ kind: 'inherit' }, env)).toEqual({ ...allowed, GITHUB_TOKEN: 'token', OTHER: 'other' });
    expect(RUNTIME_KEYS).toEqual(expect.arrayContaining(['ANTHROPIC_API_KEY', 'OPENAI_API_KEY']));
  });
});
