import { array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../../src/cli/terminal/display-width.ts';
import { createStyle } from '../../../src/cli/terminal/style.ts';
import { LINE_COLUMNS } from '../../../src/cli/trace/layout.ts';
import { Trace } from '../../../src/cli/trace/trace.ts';
import { EventMerger } from '../../../src/runtime/recording/event-merger.ts';
import type { RunEvent } from '../../../src/runtime/schema/event.ts';
import { SampleRun, usage } from '../support/sample-events.ts';

function traceOf(events: readonly RunEvent[], coloured = false): string {
  let text = '';
  const trace = new Trace((piece) => (text += piece), createStyle(coloured));
  for (const event of events) trace.add(event);
  return text;
}

function merged(events: readonly RunEvent[]): RunEvent[] {
  const out: RunEvent[] = [];
  const merger = new EventMerger((event) => out.push(event));
  for (const event of events) merger.push(event);
  merger.flush();
  return out;
}

const transcript = (name: string) => `../transcripts/trace-${name}.txt`;

describe('the trace', () => {
  it('shows iterations, calls, results and how the run ended', async () => {
    const run = new SampleRun()
      .start()
      .iteration()
      .text('Let me ', 'look.')
      .turn('Let me look.')
      .call('c1', 'grep_repo', { pattern: 'FINISH_TOOL_NAME' }, './src/runtime/config.ts:41: export const\n./src/b.ts:2: more\n')
      .iteration()
      .text('It is in\n\nconfig.ts.', '\n')
      .turn('It is in\n\nconfig.ts.\n')
      .done();
    await expect(traceOf(run.events)).toMatchFileSnapshot(transcript('answer'));
  });

  it('shows what went wrong: a failed tool, a retry, a warning, a limit, an error', async () => {
    const run = new SampleRun()
      .start()
      .iteration()
      .text('Half an ans')
      .add({
        type: 'retry',
        attempt: 1,
        error_class: 'overloaded',
        message: 'The provider is overloaded.',
        status: 529,
        wait_ms: 1_234,
        usage: usage(5),
        cost_usd: null,
      })
      .text('Whole.')
      .turn('Whole.')
      .call('c1', 'read_file', { path: 'missing' }, 'no such file', true)
      .add({ type: 'warning', code: 'config_taken_back', message: 'The provider refuses temperature 2.' })
      .iteration()
      .add({
        type: 'retry',
        attempt: 1,
        error_class: 'network',
        message: 'socket hang up',
        wait_ms: 65_000,
        usage: usage(0),
        cost_usd: null,
      })
      .add({
        type: 'limit_reached',
        limit: 'max_total_tokens',
        limit_value: 100,
        spent: 99,
        message: 'max_total_tokens is 100; 99 spent.',
      })
      .done({
        reason: 'error',
        cost_usd: null,
        usage: usage(99, false),
        error: { code: 'model_auth', message: 'The key is not valid.\nGet one.' },
      });
    await expect(traceOf(run.events)).toMatchFileSnapshot(transcript('trouble'));
  });

  it('shows steering and the iteration that saw it', async () => {
    const run = new SampleRun()
      .start(null)
      .iteration()
      .text('I begin')
      .add({ type: 'control_received', control_id: 'k1', control: { type: 'inject', message: 'use metric units' }, by: 'ada' })
      .text(' and end.')
      .turn('I begin and end.')
      .add({ type: 'control_received', control_id: 'k2', control: { type: 'modify_config', temperature: 0.5 } })
      .add({ type: 'control_received', control_id: 'k3', control: { type: 'inject', message: 'too late', delivery: 'after_run' } })
      .iteration()
      .add({ type: 'control_applied', control_id: 'k1', fate: { kind: 'included', iteration: 2 } })
      .add({ type: 'control_applied', control_id: 'k2', fate: { kind: 'applied' } })
      .add({ type: 'control_received', control_id: 'k4', control: { type: 'stop', mode: 'now', reason: 'SIGINT' }, by: 'signal' })
      .add({ type: 'control_applied', control_id: 'k3', fate: { kind: 'returned', reason: 'stopped', text: 'too late' } })
      .add({ type: 'control_applied', control_id: 'k4', fate: { kind: 'applied' } })
      .done({ reason: 'stopped', cost_usd: null, unseen: [{ control_id: 'k3', message: 'too late' }] });
    await expect(traceOf(run.events)).toMatchFileSnapshot(transcript('steering'));
  });

  it('shows what is asked and what was decided', async () => {
    const args = { path: 'notes.txt', content: 'x' };
    const run = new SampleRun()
      .start()
      .iteration()
      .turn('')
      .add({ type: 'tool_call', call_id: 'c1', name: 'write_file', arguments: args })
      .add({ type: 'tool_call', call_id: 'c2', name: 'remove', arguments: {}, arguments_text: '{"path":' })
      .add({ type: 'approval_requested', call_id: 'c1', name: 'write_file', arguments: args, effect: 'write' })
      .add({ type: 'approval_requested', call_id: 'c2', name: 'remove', arguments: {}, effect: 'write', display: 'rm notes.txt' })
      .add({ type: 'approval_decided', call_id: 'c1', decision: 'allow', by: 'ada', arguments: { path: 'other.txt' }, remember: 'run' })
      .add({ type: 'approval_decided', call_id: 'c2', decision: 'deny', reason: 'never' })
      .add({ type: 'awaiting_input', kind: 'answer', question: 'Which one?' })
      .add({ type: 'review', scope: 'finish', round: 1, usage: usage(1), cost_usd: null, approved: false, feedback: 'Name the file.' })
      .done({ reason: 'awaiting_human', cost_usd: 12.4 });
    await expect(traceOf(run.events)).toMatchFileSnapshot(transcript('decisions'));
  });

  it('colours its own marks and nothing else', async () => {
    const run = new SampleRun().start().iteration().call('c1', 'grep', {}, 'found').text('Yes.').turn('Yes.').done();
    await expect(traceOf(run.events, true)).toMatchFileSnapshot(transcript('colours'));
  });

  it('prints the same bytes however the text was merged', () => {
    const piece = constantFrom('word', ' ', '\n', '\r', '\n\n', '\ud83d', '\ude42', '\u001b[31m', '  indented');
    assert(
      property(array(piece), array(piece), (before, after) => {
        const whole = [...before, ...after].join('');
        const run = new SampleRun()
          .start()
          .iteration()
          .text(...before);
        run.add({ type: 'control_received', control_id: 'k', control: { type: 'inject', message: 'and?' } });
        run
          .text(...after)
          .turn(whole)
          .done();
        expect(traceOf(merged(run.events))).toBe(traceOf(run.events));
      }),
    );
  });

  it('shows the whole reply also when its deltas came in part, or not at all', () => {
    const full = new SampleRun().start().iteration().text('one ', 'two').turn('one two').done();
    const part = new SampleRun().start().iteration().text('one ').turn('one two').done();
    const none = new SampleRun().start().iteration().turn('one two').done();
    const lost = new SampleRun().start().iteration().text('two').turn('one two').done();
    expect(traceOf(part.events)).toBe(traceOf(full.events));
    expect(traceOf(none.events)).toBe(traceOf(full.events));
    expect(traceOf(lost.events)).toContain('two\none two\n');
  });

  it('says that shown text is void when the reply begins again, and only then', () => {
    const retry = { attempt: 1, error_class: 'server', message: 'no', wait_ms: 5, usage: usage(0), cost_usd: null } as const;
    const shown = new SampleRun()
      .start()
      .iteration()
      .text('Half')
      .add({ type: 'retry', ...retry });
    const silent = new SampleRun()
      .start()
      .iteration()
      .add({ type: 'retry', ...retry });
    expect(traceOf(shown.events)).toMatch(/^Half\n {2}↻ .* the text above is void and begins again · no$/m);
    expect(traceOf(silent.events)).not.toContain('void');
  });

  it('keeps a call and its result on one line of bounded width', () => {
    const long = '日本語🙂 '.repeat(400);
    const lines = traceOf(new SampleRun().start().iteration().call('c1', 'say', { text: long }, long).events).split('\n');
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(LINE_COLUMNS);
    expect(lines.filter((line) => line.endsWith('…'))).toHaveLength(2);
  });

  it('lets nothing of a model, a tool or an error reach the terminal alive', () => {
    const evil = '\u001b]52;c;cm0=\u0007\u009b2J\rX\b\u202e';
    const run = new SampleRun()
      .start()
      .iteration()
      .text(...evil)
      .turn(evil)
      .call('c1', evil, { [evil]: evil }, evil)
      .call('c2', 'x', {}, evil, true)
      .add({ type: 'approval_requested', call_id: 'c1', name: evil, arguments: {}, effect: 'write', display: evil })
      .add({ type: 'control_received', control_id: 'k1', control: { type: 'inject', message: evil }, by: evil })
      .add({ type: 'awaiting_input', kind: 'answer', question: evil })
      .add({ type: 'warning', code: evil, message: evil })
      .add({ type: 'retry', attempt: 1, error_class: 'server', message: evil, wait_ms: 5, usage: usage(0), cost_usd: null })
      .done({ reason: 'error', error: { code: evil, message: evil } });
    const text = traceOf(run.events);
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    expect(text).toContain('␛]52;c;cm0=␇\\x9b2J␍X␈\\u202e');
  });

  it('never shows an unknown price as a price', () => {
    const done = (prices: string | null, cost_usd: number | null) =>
      traceOf(new SampleRun().start(prices).done({ cost_usd }).events).trim();
    expect(done('list', null)).toBe('● finished · 0 iteration(s) · 1482 tokens · cost unknown');
    expect(done(null, null)).toBe('● finished · 0 iteration(s) · 1482 tokens');
    expect(done('list', 0.0000123)).toBe('● finished · 0 iteration(s) · 1482 tokens · $0.000012');
    expect(done('list', 3.5)).toBe('● finished · 0 iteration(s) · 1482 tokens · $3.50');
  });
});
