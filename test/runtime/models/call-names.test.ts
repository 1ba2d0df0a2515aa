/** Ids and names of calls, as a provider accepts them. */
import { describe, expect, it } from 'vitest';
import { callIds, callName } from '../../../src/runtime/models/call-names.ts';

const ANTHROPIC_IDS = /^[a-zA-Z0-9_-]+$/;

describe('the ids of calls', () => {
  it('stay as they are where they are accepted', () => {
    expect(callIds(ANTHROPIC_IDS)('toolu_01-A')).toBe('toolu_01-A');
  });

  it('are made of the refused id, and so are the same in every request', () => {
    const made = ['functions.echo:0', 'ü', ''].map(callIds(ANTHROPIC_IDS));

    expect(made).toEqual(['functions.echo:0', 'ü', ''].map(callIds(ANTHROPIC_IDS)));
    expect(new Set(made).size).toBe(3);
    for (const id of made) expect(id).toMatch(ANTHROPIC_IDS);
  });

  it('never become one, not even with an id that looks like a made one', () => {
    const made = callIds(ANTHROPIC_IDS)('a.b');
    const ids = callIds(ANTHROPIC_IDS);

    expect(ids('a.b')).toBe(made);
    expect(ids(made)).not.toBe(made);
    expect(ids(made)).toMatch(ANTHROPIC_IDS);
  });
});

describe('the name of a called tool', () => {
  it.each([
    ['echo', 'echo'],
    ['functions.echo', 'functions_echo'],
    ['', 'unnamed_tool'],
    ['x'.repeat(80), 'x'.repeat(64)],
  ])('%j is sent as %s', (name, sent) => {
    expect(callName(name)).toBe(sent);
  });
});
