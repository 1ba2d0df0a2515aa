/** How a run ended is told truly: one run for each way to end, through the host, as recorded, printed and replayed. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runInProcess } from './support/in-process.ts';
import { transcript } from './support/transcript.ts';
import { createWorkspace, recordedEvents, type ScriptStep } from './support/workspace.ts';

interface Ending {
  readonly reason: string;
  readonly code: number;
  readonly steps: readonly ScriptStep[];
  readonly flags?: readonly string[];
}

const call = { name: 'say', arguments: { text: 'hello' } };
const error = (errorClass: string, status: number): ScriptStep => ({ error: { class: errorClass, status, message: `HTTP ${status}` } });

const ENDINGS: Readonly<Record<string, Ending>> = {
  answer: { reason: 'finished', code: 0, steps: [{ text: 'First I say it.', tool_calls: [call] }, { text: 'It said: {{last_result}}' }] },
  'finish-tool': {
    reason: 'finished',
    code: 0,
    steps: [{ text: 'I am done.', tool_calls: [{ name: 'finish', arguments: { result: 'The result.' } }] }],
    flags: ['--stop-on', 'finish-tool'],
  },
  'max-iterations': {
    reason: 'max_iterations',
    code: 3,
    steps: [{ text: 'Once more.', tool_calls: [call] }],
    flags: ['--max-iterations', '1'],
  },
  'manual-timeout': { reason: 'timeout', code: 4, steps: [{ text: 'What now?' }], flags: ['--stop-on', 'manual', '--timeout', '500ms'] },
  'model-timeout': { reason: 'timeout', code: 4, steps: [{ text: 'Half an ans', hang: 'after' }], flags: ['--timeout', '500ms'] },
  budget: {
    reason: 'budget',
    code: 6,
    steps: [{ text: 'Twice.', tool_calls: [call, { name: 'say', arguments: { text: 'again' } }] }],
    flags: ['--max-tool-calls', '1'],
  },
  refused: { reason: 'refused', code: 7, steps: [{ text: '', stop_reason: 'refusal' }] },
  truncated: { reason: 'truncated', code: 7, steps: [{ text: 'It goes on and', stop_reason: 'max_tokens' }] },
  empty: { reason: 'empty', code: 7, steps: [{ text: '' }, { text: '' }] },
  'not-authorized': { reason: 'error', code: 1, steps: [error('auth', 401)] },
  'broken-stream': {
    reason: 'error',
    code: 1,
    steps: [
      { text: 'Half an answer', cut: true },
      { text: 'Half an', cut: true },
    ],
    flags: ['--attempts', '2'],
  },
  'failed-tool': { reason: 'finished', code: 0, steps: [{ tool_calls: [{ name: 'fail' }, { name: 'missing' }] }, { text: 'It failed.' }] },
};

const TOOLS = `
tools:
  - name: say
    description: Says a text.
    parameters: { type: object, properties: { text: { type: string } }, required: [text] }
    command: [echo, "{{.text}}"]
  - name: fail
    description: Fails.
    parameters: { type: object, properties: {} }
    command: ["false"]
`;

describe('a run that ends', () => {
  it.each(Object.entries(ENDINGS))(
    'by %s says so on both streams, in the recording and in the exit code, and so does replay',
    async (name, ending) => {
      const { path, script, write } = await createWorkspace();
      const model = await script(ending.steps.map((step) => ({ usage: { input_tokens: 100, output_tokens: 20 }, ...step })));
      const tools = await write('tools.yaml', TOOLS);
      const ran = await runInProcess(
        ['run', '--model', model, '--tools', tools, '--user-prompt', 'Go.', '--record', 'own.jsonl', ...(ending.flags ?? [])],
        path,
      );
      await expect(transcript(ran)).toMatchFileSnapshot(`transcripts/ending-${name}.txt`);
      expect(ran.code).toBe(ending.code);

      const events = await recordedEvents(join(path, 'own.jsonl'));
      expect(events.filter((event) => event['type'] === 'done')).toEqual([events.at(-1)]);
      expect(events.at(-1)).toMatchObject({ reason: ending.reason });
      expect(await runInProcess(['replay', '--path', 'own.jsonl', '--speed', '0'], path)).toEqual(ran);
    },
  );
});
