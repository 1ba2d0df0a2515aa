/** Commands that hold their pipes, flood them, or say nothing: cases O1, O3 and O6, through whole runs (L2, L8). */
import { describe, expect, it } from 'vitest';
import { commandTools } from '../../src/node/command/command-tools.ts';
import { parseManifest } from '../../src/node/manifest/load-manifest.ts';
import { DEFAULTS } from '../../src/runtime/schema/config.ts';
import { defineTool } from '../../src/runtime/tools/define-tool.ts';
import { livingInGroup } from '../node/command/living-processes.ts';
import { SHARED_FOLDER, SKIPPED, sharedPath, warnWhenSkipped } from '../support/shared-inputs.ts';
import { ended, type Provider, playCase, startCase } from './support/case-run.ts';
import { anthropicReply, type CaseReply, openaiCall, openaiReply, serveCase } from './support/case-server.ts';
import { oddValues } from './support/odd-values.ts';
import { only, results, sentResults, textOf } from './support/readings.ts';
import { playThrough } from './support/three-ways.ts';

warnWhenSkipped('commands that hang, flood or say nothing (O1, O3, O6)');

/** One answer that calls these tools without arguments, and one that ends the run. */
function calling(provider: Provider, names: readonly string[]): { replies: CaseReply[] } {
  const first =
    provider === 'anthropic'
      ? anthropicReply(
          names.map((name, index) => ['tool', `c${index}`, name, {}]),
          { stop: 'tool_use' },
        )
      : openaiReply(
          names.map((name, index) => openaiCall(`c${index}`, name, '{}', index)),
          'tool_calls',
        );
  return { replies: [first, provider === 'anthropic' ? anthropicReply([['text', 'done']]) : openaiReply([{ content: 'done' }])] };
}

describe.skipIf(SHARED_FOLDER === undefined)(`O1: a background process that holds stdout${SKIPPED}`, () => {
  it('delays neither the end of its program nor the time limit, and dies with the call', async () => {
    const hold = JSON.stringify(sharedPath('cases', 'O1-tools', 'hold.sh'));
    const manifest = `tools:
  - { name: leaves, command: [sh, ${hold}, exit], timeout: 1s }
  - { name: waits, command: [sh, ${hold}, wait], timeout: 1s }
`;
    const tools = commandTools(await parseManifest(manifest, { path: 'tools.yaml' }));
    const groups = new Set<number>();
    const server = await serveCase(calling('anthropic', ['leaves', 'waits']));
    const started = startCase(server, 'anthropic', { tools, onChild: (pid) => groups.add(pid) });
    for await (const event of started.run.events()) {
      if (event.type === 'tool_output' && event.call_id === 'c1') started.timers.fire('tool_timeout');
    }
    const { result } = await ended(started);

    expect(result.reason).toBe('finished');
    expect(sentResults(server.messages(1))).toEqual([
      ['c0', 'hi\n', false],
      ['c1', expect.stringMatching(/timed out after 1000 ms.*\nhi\n$/), true],
    ]);
    expect(groups.size).toBe(2);
    await expect.poll(() => [...groups].flatMap((leader) => livingInGroup(leader))).toEqual([]);
  });
});

describe.skipIf(SHARED_FOLDER === undefined)(`O3: a flood of output${SKIPPED}`, () => {
  const SMILES = 'yes \u{1f642} | head -n 250000 | tr -d "\\\\n"';
  const manifest = `tools:
  - { name: endless, command: [yes], timeout: 300ms, max_output_bytes: 2000 }
  - { name: errors, command: [sh, -c, "yes >&2"], timeout: 300ms, max_output_bytes: 2000 }
  - { name: one_line, command: [sh, -c, "head -c 200000000 /dev/zero | tr '\\\\0' x"], max_output_bytes: 2000 }
${[1_000, 1_001, 1_002, 1_003].map((cap) => `  - { name: cap_${cap}, command: [sh, -c, '${SMILES}'], max_output_bytes: ${cap} }`).join('\n')}
`;
  const caps: Record<string, number> = { c0: 2_000, c1: 2_000, c2: 2_000, c3: 1_000, c4: 1_001, c5: 1_002, c6: 1_003 };

  it.each(['inline', 'in a thread'] as const)('stays within its cap in results and events, whole characters only: %s', async (way) => {
    const names = ['endless', 'errors', 'one_line', 'cap_1000', 'cap_1001', 'cap_1002', 'cap_1003'];
    const { reason, events } = await playThrough(way, calling('openai', names), { manifest });

    expect(reason).toBe('finished');
    const all = only(events, 'tool_result');
    expect(all.map(({ outcome }) => outcome)).toEqual(['timeout', 'timeout', 'ok', 'ok', 'ok', 'ok', 'ok']);
    for (const result of all) {
      const text = textOf(result);
      const shown = only(events, 'tool_output')
        .filter(({ call_id }) => call_id === result.call_id)
        .map((event) => event.text)
        .join('');
      const blocks = result.content.map((block) => (block.type === 'text' ? block.text : ''));
      expect(Buffer.byteLength(blocks.join(''))).toBeLessThanOrEqual(caps[result.call_id] ?? 0);
      expect(text.match(/bytes left out\]/g)).toHaveLength(1);
      expect(text.isWellFormed()).toBe(true);
      expect(result.dropped_bytes).toBeGreaterThan(10_000);
      expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(caps[result.call_id] ?? 0);
      expect(shown.isWellFormed()).toBe(true);
    }
    expect(all[2]?.dropped_bytes).toBeGreaterThan(199_990_000);
  });
});

describe.skipIf(SHARED_FOLDER === undefined)(`O6: results that are empty or no text${SKIPPED}`, () => {
  it.each(['anthropic', 'openai'] as const)(
    'of code tools are one text that is not blank, and an error only for a failure: %s',
    async (provider) => {
      const tools = Object.entries(oddValues()).map(([name, make]) =>
        defineTool({ name, description: name, input: { type: 'object' }, effect: 'read', execute: () => make() }),
      );
      const names = tools.map(({ definition }) => definition.name);
      const { result, server } = await playCase(calling(provider, names), provider, { tools });

      expect(result).toMatchObject({ reason: 'finished', final_content: 'done' });
      const sent = sentResults(server.messages(1));
      expect(sent.map(([id]) => id)).toEqual(names.map((_, index) => `c${index}`));
      for (const [, text] of sent) {
        expect(text).toMatch(/\S/);
        expect(text.isWellFormed()).toBe(true);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(DEFAULTS.resultCapBytes + 'Error: '.length);
      }
      const failed = names.filter((_, index) => sent[index]?.[2]);
      expect(failed).toEqual(['error_without_message', 'error_with_code', 'rejected_promise']);
    },
  );

  it.each(['inline', 'in a thread', 'through the command'] as const)(
    'of commands say that there was no output, and the exit code of a failure: %s',
    async (way) => {
      const manifest = `tools:
  - { name: silent, command: ["true"] }
  - { name: failing, command: [sh, -c, "exit 3"] }
`;
      const { reason, events, server } = await playThrough(way, calling('openai', ['silent', 'failing']), { manifest });

      expect(reason).toBe('finished');
      expect(results(events)).toEqual([
        ['c0', 'ok', '(no output)'],
        ['c1', 'error', 'exit code 3\n(no output)'],
      ]);
      expect(sentResults(server.messages(1)).map(([, text]) => text)).toEqual(['(no output)', 'Error: exit code 3\n(no output)']);
    },
  );
});
