/** Thinking goes back byte for byte to the provider that made it, and to no other: cases D1 and D3 (L1). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openRecording } from '../../src/node/recording/open-recording.ts';
import { readRecordingFile } from '../../src/node/recording/read-recording-file.ts';
import { replayRun } from '../../src/runtime/recording/replay-run.ts';
import { eventsOfRun } from '../../src/runtime/recording/runs-of.ts';
import { requestOf } from '../../src/runtime/state/request-of.ts';
import { recordingTools } from '../../src/runtime/testing/index.ts';
import { SHARED_FOLDER, SKIPPED, warnWhenSkipped } from '../support/shared-inputs.ts';
import { andThen, type CaseOptions, goOn, playCase } from './support/case-run.ts';
import { anthropicReply, type Case, openaiReply, sharedCase } from './support/case-server.ts';
import { only } from './support/readings.ts';

warnWhenSkipped('what becomes of thinking (D1, D3)');

const OPTIONS: CaseOptions = {
  tools: recordingTools({ echo: (args) => args }).tools,
  config: { thinking: 'high', max_output_tokens: 16_000 },
};

const THOUGHT_TURN = [
  { type: 'thinking', thinking: 'plan é 🙂', signature: 'c2lnLTE=' },
  { type: 'thinking', thinking: '', signature: 'c2lnLTI=' },
  { type: 'redacted_thinking', data: 'ZGF0YQ==' },
  { type: 'tool_use', id: 'tu_1', name: 'echo', input: { v: 1 } },
];

/** A case with room for one more run. */
function withOneMore(id: 'D1' | 'D3'): Case {
  const given = sharedCase(id);
  const more = id === 'D1' ? anthropicReply([['text', 'more']]) : openaiReply([{ content: 'more' }]);
  return { ...given, replies: [...given.replies, more] };
}

async function recordingOfTest() {
  const folder = mkdtempSync(join(tmpdir(), 'steerloop-case-'));
  const recording = await openRecording({ path: join(folder, 'run.jsonl'), kind: 'run' });
  onTestFinished(async () => {
    await recording.close();
    rmSync(folder, { recursive: true });
  });
  return recording;
}

/** The run that a recording file holds, as `replay` reads it. */
async function recordedRun(path: string, runId: string) {
  const { lines, warnings } = await readRecordingFile(path);
  expect(warnings).toEqual([]);
  const events = eventsOfRun(lines, runId);
  return { events, result: await replayRun(events, { speed: 0 }).result };
}

describe.skipIf(SHARED_FOLDER === undefined)(`thinking${SKIPPED}`, () => {
  it('D1: goes back unchanged, in order, before the call, in this run and in the next one', async () => {
    const played = await playCase(withOneMore('D1'), 'anthropic', OPTIONS);
    const next = await goOn(played, 'anthropic', { ...OPTIONS, input: andThen(played, 'and now?') });

    expect(played.result).toMatchObject({ reason: 'finished', final_content: 'done' });
    expect(played.server.seen[1]?.body).toMatchObject({ thinking: { type: 'adaptive' } });
    expect(played.server.messages(1)[1]?.content).toEqual(THOUGHT_TURN);
    expect(next.result).toMatchObject({ reason: 'finished', final_content: 'more' });
    expect(played.server.messages(2)[1]?.content).toEqual(THOUGHT_TURN);
  });

  it('D1: is the same in the recording, and goes back unchanged from there', async () => {
    const recording = await recordingOfTest();
    const journal = recording.journalFor('recorded');
    const played = await playCase(withOneMore('D1'), 'anthropic', { ...OPTIONS, id: 'recorded', journal });
    const stored = await recordedRun(recording.path, 'recorded');

    expect(stored.result).toEqual(played.result);
    expect(requestOf(stored.events, 2)).toEqual(requestOf(played.events, 2));
    const next = await goOn(played, 'anthropic', { ...OPTIONS, input: andThen(stored, 'and now?') });
    expect(next.result.final_content).toBe('more');
    expect(played.server.messages(2)[1]?.content).toEqual(THOUGHT_TURN);
  });

  it('D1: of one provider is not sent to another', async () => {
    const thought = await playCase('D1', 'anthropic', OPTIONS);
    const reply = { replies: [openaiReply([{ content: 'hello' }])] };
    const { server, result } = await playCase(reply, 'openai', { ...OPTIONS, input: andThen(thought, 'and you?') });

    expect(result.reason).toBe('finished');
    expect(JSON.stringify(server.messages(0))).not.toMatch(/plan|c2lnLT|ZGF0YQ|reasoning/);
    expect(server.messages(0).map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'user']);
  });

  it('D3: reasoning of a tool turn goes back, whatever the model is called, in this run and in the next one', async () => {
    const played = await playCase(withOneMore('D3'), 'openai', OPTIONS);
    const next = await goOn(played, 'openai', { ...OPTIONS, input: andThen(played, 'and now?') });

    expect(played.result).toMatchObject({ reason: 'finished', final_content: 'done' });
    expect(next.result.final_content).toBe('more');
    for (const nth of [1, 2]) {
      const turn = played.server.messages(nth).find(({ role }) => role === 'assistant');
      expect(turn).toMatchObject({ content: null, reasoning_content: 'first look', tool_calls: [{ id: 'c0' }] });
    }
  });

  it('D3: reasoning is shown as thinking and never as text', async () => {
    const { events } = await playCase('D3', 'openai', OPTIONS);

    expect(only(events, 'thinking_delta').map(({ text }) => text)).toEqual(['first ', 'look']);
    expect(only(events, 'text_delta').map(({ text }) => text)).toEqual(['done']);
  });

  it('D3: reasoning of a Chat Completions server is not sent to Anthropic', async () => {
    const thought = await playCase('D3', 'openai', OPTIONS);
    const reply = { replies: [anthropicReply([['text', 'hello']])] };
    const { server, result } = await playCase(reply, 'anthropic', { tools: OPTIONS.tools, input: andThen(thought, 'and you?') });

    expect(result.reason).toBe('finished');
    expect(JSON.stringify(server.messages(0))).not.toContain('first look');
  });
});
