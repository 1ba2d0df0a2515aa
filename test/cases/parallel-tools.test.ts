/** Case P1: of several tools in one answer some throw, and so does a listener. Each call has its one result, in call order (L6). */
import { describe, expect, it } from 'vitest';
import type { ToolEffect } from '../../src/runtime/schema/tool-definition.ts';
import { deferred } from '../../src/runtime/testing/index.ts';
import { defineTool } from '../../src/runtime/tools/define-tool.ts';
import { SHARED_FOLDER, SKIPPED, warnWhenSkipped } from '../support/shared-inputs.ts';
import { type CaseOptions, type Provider, playCase } from './support/case-run.ts';
import { anthropicReply, openaiCall, openaiReply } from './support/case-server.ts';
import { only, sentResults } from './support/readings.ts';

warnWhenSkipped('what becomes of parallel tools that throw (P1)');

const NAMES = ['ok1', 'boomSync', 'boomAsync', 'ok2'] as const;

/** Four tools; when they run side by side, the first ends only after the last. */
function fourTools(effect: ToolEffect) {
  const ran: string[] = [];
  const lastIsOver = deferred();
  const behaviour = {
    ok1: async () => {
      if (effect === 'read') await lastIsOver.promise;
      return 'first';
    },
    boomSync: () => {
      throw new Error('at once');
    },
    boomAsync: () => Promise.reject('only a text'),
    ok2: async () => {
      lastIsOver.resolve();
      return 'last';
    },
  };
  const tools = NAMES.map((name) =>
    defineTool({
      name,
      description: name,
      input: { type: 'object' },
      effect,
      execute: () => {
        ran.push(name);
        return behaviour[name]();
      },
    }),
  );
  return { tools, ran };
}

const replies = {
  anthropic: [
    anthropicReply(
      NAMES.map((name, index) => ['tool', `c${index}`, name, {}]),
      { stop: 'tool_use' },
    ),
    anthropicReply([['text', 'done']]),
  ],
  openai: [
    openaiReply(
      NAMES.map((name, index) => openaiCall(`c${index}`, name, '{}', index)),
      'tool_calls',
    ),
    openaiReply([{ content: 'done' }]),
  ],
};

const throwing: CaseOptions['agent'] = {
  hooks: {
    onEvent: (event) => {
      if (event.type === 'tool_result') throw new Error('the listener broke');
    },
  },
};

async function play(provider: Provider, effect: ToolEffect, agent?: CaseOptions['agent']) {
  const { tools, ran } = fourTools(effect);
  const played = await playCase({ replies: replies[provider] }, provider, { tools, agent, id: 'run' });
  return { ...played, ran };
}

describe.skipIf(SHARED_FOLDER === undefined)(`P1: tools that throw beside others${SKIPPED}`, () => {
  it.each([
    ['anthropic', 'read'],
    ['anthropic', 'write'],
    ['openai', 'read'],
  ] as const)('are errors, each once and in its place (%s, %s)', async (provider, effect) => {
    const { result, server, ran } = await play(provider, effect);

    expect(result).toMatchObject({ reason: 'finished', final_content: 'done', tool_calls: 4 });
    expect(ran).toEqual(NAMES);
    expect(sentResults(server.messages(1))).toEqual([
      ['c0', 'first', false],
      ['c1', expect.stringContaining('Error: at once'), true],
      ['c2', expect.stringContaining('only a text'), true],
      ['c3', 'last', false],
    ]);
  });

  it('tell their ends in the order in which they ended', async () => {
    const { events } = await play('anthropic', 'read');

    const ends = only(events, 'tool_result').map(({ name }) => name);
    expect(ends.indexOf('ok2')).toBeLessThan(ends.indexOf('ok1'));
    expect(new Set(ends)).toEqual(new Set(NAMES));
  });

  it('and a listener that throws at each end change nothing but for one warning', async () => {
    const quiet = await play('anthropic', 'read');
    const loud = await play('anthropic', 'read', throwing);

    expect(loud.result).toMatchObject({ reason: 'finished', final_content: 'done', tool_calls: 4 });
    expect(loud.ran).toEqual(NAMES);
    expect(loud.server.messages(1)).toEqual(quiet.server.messages(1));
    expect(only(loud.events, 'warning')).toMatchObject([{ code: 'hook_failed', message: expect.stringContaining('the listener broke') }]);
  });
});
