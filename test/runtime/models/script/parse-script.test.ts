import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../../src/runtime/errors.ts';
import { parseScript } from '../../../../src/runtime/models/script/parse-script.ts';

function problemOf(script: unknown): string {
  try {
    parseScript(typeof script === 'string' ? script : JSON.stringify(script), { path: 'plays/one.json' });
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    expect(error).toMatchObject({ code: 'invalid_script', message: expect.stringMatching(/^script plays\/one\.json/) });
    return String((error as Error).message);
  }
  throw new Error('expected the script to be refused');
}

describe('parseScript', () => {
  it('reads every key that a step may have', () => {
    const script = {
      $schema: './script.schema.json',
      model: 'demo',
      steps: [
        {
          text: 'a {{last_user}}',
          thinking: 'hm',
          signature: 'sig',
          tool_calls: [
            { name: 'grep', arguments: { pattern: 'x', deep: [{ quote: '{{last_result.first_line}}' }] }, id: 'c1' },
            { name: 'grep', arguments_text: '{"a":' },
          ],
          stop_reason: 'max_tokens',
          usage: { input_tokens: 1, output_tokens: 2, cache_read_tokens: 3, cache_write_tokens: 4, complete: false },
          delay_ms: 0,
          chunk: 1,
          chunk_delay_ms: 5,
          stream: false,
          expect: { system_contains: 'a', last_user_contains: 'b', last_result_contains: 'c', tools_include: ['grep'] },
        },
        { error: { class: 'rate_limit', message: 'slow down', status: 429, retry_after_ms: 1000, after: 'all' } },
        { hang: 'after' },
        { hang: true },
        { cut: true },
        {},
      ],
    };
    expect(parseScript(`\uFEFF${JSON.stringify(script)}`, { path: 'x' })).toEqual(script);
  });

  it('names line and column of what is not JSON', () => {
    expect(problemOf('{\n  "steps": [\n    {} {}\n  ]\n}')).toContain('one.json, line 3, column 8, is not JSON: ');
  });

  it.each([
    ['an empty object', {}, 'steps: is missing'],
    ['a list', [], 'steps: is missing'],
    ['a number', 3, 'the script: expected an object, got 3'],
    ['no steps', { steps: [] }, 'steps: expected at least one step'],
    ['an unknown key of the script', { steps: [{}], modle: 'x' }, 'modle: unknown key; expected one of $schema, model, steps'],
    ['an unknown key of a step', { steps: [{}, { txt: 'x' }] }, 'step 2 (steps[1]), txt: unknown key; expected one of text, thinking, '],
    ['a wrong type', { steps: [{ text: 4 }] }, 'step 1 (steps[0]), text: expected string, got 4'],
    ['a call without name', { steps: [{ tool_calls: [{}] }] }, 'step 1 (steps[0]), tool_calls[0].name: is missing'],
    [
      'arguments that are a list',
      { steps: [{ tool_calls: [{ name: 'a', arguments: [] }] }] },
      'tool_calls[0].arguments: expected an object',
    ],
    [
      'two kinds of arguments',
      { steps: [{ tool_calls: [{ name: 'a', arguments: {}, arguments_text: '' }] }] },
      'tool_calls[0]: has both arguments and arguments_text; expected one of them',
    ],
    ['an unknown error class', { steps: [{ error: { class: 'oops' } }] }, 'error.class: expected ("rate_limit" | "overloaded"'],
    ['an error with a wrong place', { steps: [{ error: { class: 'server', after: -1 } }] }, 'error.after: expected '],
    ['an unknown stop reason', { steps: [{ stop_reason: 'stop' }] }, 'stop_reason: expected ("end_turn" | "tool_use"'],
    ['a hang of an unknown kind', { steps: [{ hang: 'in the middle' }] }, 'hang: expected true, "before" or "after"'],
    ['a negative delay', { steps: [{ delay_ms: -1 }] }, 'delay_ms: expected 0 or more'],
    ['pieces of no characters', { steps: [{ chunk: 0 }] }, 'chunk: expected 1 or more'],
    ['a signature that seals nothing', { steps: [{ signature: 's' }] }, 'step 1 (steps[0]): has a signature without thinking'],
    ['two ends', { steps: [{ hang: true, error: { class: 'server' } }] }, 'expected one of error, hang and cut'],
    [
      'an unknown key of what is expected',
      { steps: [{ expect: { user: 'x' } }] },
      'expect.user: unknown key; expected one of system_contains',
    ],
    [
      'a misspelt quote in a text',
      { steps: [{ text: 'so: {{last_reslt}}' }] },
      'text: "{{last_reslt}}" quotes nothing; expected {{last_result}}',
    ],
    [
      'a misspelt quote deep in arguments',
      { steps: [{ tool_calls: [{ name: 'a', arguments: { list: [{ text: '{{result:}}' }] } }] }] },
      'tool_calls[0].arguments: "{{result:}}" quotes nothing',
    ],
  ])('refuses %s and says where and why', (_what, script, problem) => {
    expect(problemOf(script)).toContain(problem);
  });

  it('lists five problems and counts the others', () => {
    const problem = problemOf({ steps: Array.from({ length: 8 }, () => ({ text: 1 })) });
    expect(problem.split('\n')).toHaveLength(7);
    expect(problem).toMatch(/step 5 .*\n {2}and 3 more$/);
  });
});
