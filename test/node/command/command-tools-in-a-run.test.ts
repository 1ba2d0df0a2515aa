import { expect, it } from 'vitest';
import { commandTools } from '../../../src/node/command/command-tools.ts';
import { parseManifest } from '../../../src/node/manifest/load-manifest.ts';
import type { ScriptToolCall } from '../../../src/runtime/models/script/script-schema.ts';
import type { DurableEvent } from '../../../src/runtime/schema/event.ts';
import { startRun } from '../../../src/runtime/start-run.ts';
import { manualTimers } from '../../../src/runtime/testing/manual-timers.ts';
import { scriptedModel } from '../../../src/runtime/testing/scripted-model.ts';
import { text, toolCall, toolCalls } from '../../../src/runtime/testing/steps.ts';
import { livingInGroup } from './living-processes.ts';

const MANIFEST = `
tools:
  - name: echo
    parameters: { type: object, properties: { word: { type: string } }, required: [word] }
    command: [echo, "{{.word}}"]
  - name: hold
    command: [sh, -c, "sleep 300 & echo hi; wait"]
    timeout: 1s
  - name: ask
    command: [echo, asked]
    confirm: true
`;

type Result = Extract<DurableEvent, { type: 'tool_result' }>;

/** Outcome and text of each result, in call order of one turn. */
function told(results: readonly Result[]): readonly (readonly [outcome: string, text: string])[] {
  const byCall = [...results].sort((left, right) => left.call_id.localeCompare(right.call_id));
  return byCall.map(({ outcome, content }) => [outcome, content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')]);
}

it('A run tells its model what a command said, what was refused, and what nobody confirmed', async () => {
  const tools = commandTools(await parseManifest(MANIFEST, { path: 'tools.yaml' }));
  const calls: ScriptToolCall[] = [
    { name: 'echo', arguments: { word: '$(id)' } },
    { name: 'echo', arguments: { word: '-n' } },
    { name: 'echo', arguments: { word: 'x', more: 'y' } },
    { name: 'ask', arguments: {} },
  ];
  const model = scriptedModel([toolCalls(calls), text('done')]);
  const results: Result[] = [];

  const run = startRun({ model, tools }, 'go');
  for await (const event of run.events()) if (event.type === 'tool_result') results.push(event);

  expect(told(results)).toEqual([
    ['ok', '$(id)\n'],
    ['invalid_arguments', expect.stringContaining('parameter "word": the argument "-n" would begin with "-"')],
    ['invalid_arguments', expect.stringContaining('more')],
    ['denied', expect.stringContaining('confirm')],
  ]);
});

it('A command that reaches its limit gives a timeout with the output so far, and its group is dead', async () => {
  const tools = commandTools(await parseManifest(MANIFEST, { path: 'tools.yaml' }));
  const timers = manualTimers();
  const model = scriptedModel([toolCall('hold'), text('done')]);
  const groups: number[] = [];
  const results: Result[] = [];

  const run = startRun({ model, tools }, 'go', { timers, onChild: (pid) => groups.push(pid) });
  for await (const event of run.events()) {
    if (event.type === 'tool_output') timers.fire('tool_timeout');
    if (event.type === 'tool_result') results.push(event);
  }

  expect(told(results)).toEqual([['timeout', expect.stringMatching(/timed out.*\nhi\n$/)]]);
  expect(groups).toHaveLength(2);
  await expect.poll(() => groups.flatMap((leader) => livingInGroup(leader))).toEqual([]);
});
