import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventMerger } from '../../../src/runtime/recording/event-merger.ts';
import type { RunEvent } from '../../../src/runtime/schema/event.ts';
import { sampleRun, textDelta, warningEvent } from './sample-events.ts';

function merged(events: readonly RunEvent[], mostHeld?: number): RunEvent[] {
  const out: RunEvent[] = [];
  const merger = new EventMerger((event) => out.push(event), { mostHeld });
  for (const event of events) merger.push(event);
  merger.flush();
  return out;
}

const thinking = (text: string): RunEvent => ({ ...textDelta(text), type: 'thinking_delta' });
const output = (call_id: string, text: string): RunEvent => ({
  type: 'tool_output',
  run_id: 'run_1',
  iteration: 1,
  time: 1,
  call_id,
  text,
});
const input = (call: number, text: string, name?: string): RunEvent => ({
  type: 'tool_input_delta',
  run_id: 'run_1',
  iteration: 1,
  time: 1,
  attempt: 1,
  call,
  text,
  ...(name !== undefined && { name }),
});

describe('EventMerger', () => {
  it('joins neighbouring deltas of one stream under the time of the first', () => {
    const events = [textDelta('a', { time: 5 }), textDelta('b', { time: 6 }), textDelta('c', { time: 7 }), thinking('d'), thinking('e')];

    expect(merged(events)).toEqual([textDelta('abc', { time: 5 }), thinking('de')]);
  });

  it.each<[string, RunEvent, RunEvent]>([
    ['runs', textDelta('a'), textDelta('b', { run_id: 'run_2' })],
    ['iterations', textDelta('a'), textDelta('b', { iteration: 2 })],
    ['attempts', textDelta('a'), textDelta('b', { attempt: 2 })],
    ['authors', textDelta('a'), textDelta('b', { origin: 'host' })],
    ['kinds', textDelta('a'), thinking('b')],
    ['calls that print', output('c1', 'a'), output('c2', 'b')],
    ['calls that are streamed', input(0, 'a', 'grep'), input(1, 'b', 'grep')],
  ])('keeps text of different %s apart', (_what, one, other) => {
    expect(merged([one, other])).toEqual([one, other]);
  });

  it('joins what one call prints, and the arguments of one call under its name', () => {
    const events = [output('c1', 'a'), output('c1', 'b'), input(0, '{"p', 'grep'), input(0, '":1}'), input(0, '{', 'grep')];

    expect(merged(events)).toEqual([output('c1', 'ab'), input(0, '{"p":1}', 'grep'), input(0, '{', 'grep')]);
  });

  it('hands every other event on at once, behind the text that was held', () => {
    const out: RunEvent[] = [];
    const merger = new EventMerger((event) => out.push(event));

    merger.push(textDelta('a'));
    merger.push(textDelta('b'));
    expect(out).toEqual([]);
    merger.push(warningEvent(1));

    expect(out).toEqual([textDelta('ab'), warningEvent(1)]);
  });

  it('holds no more than its cap, and leaves an event that is longer as it is', () => {
    expect(merged([textDelta('ab'), textDelta('cd'), textDelta('e'), textDelta('x'.repeat(9))], 4)).toEqual([
      textDelta('abcd'),
      textDelta(`e${'x'.repeat(9)}`),
    ]);
    expect(merged([textDelta('x'.repeat(9)), textDelta('y')], 4)).toEqual([textDelta('x'.repeat(9)), textDelta('y')]);
  });

  it('leaves the events it is given as they are', () => {
    const first = textDelta('a');

    merged([first, textDelta('b')]);

    expect(first).toEqual(textDelta('a'));
  });

  it('keeps text and order for any mixture', () => {
    const piece = fc.oneof(
      fc.string().map((text) => textDelta(text)),
      fc.string().map(thinking),
      fc.tuple(fc.constantFrom('c1', 'c2'), fc.string()).map(([id, text]) => output(id, text)),
      fc.constant<RunEvent>(warningEvent(1)),
    );
    const flat = (events: readonly RunEvent[]): string =>
      events.map((event) => ('text' in event ? [...event.text].map((char) => `${event.type}${char}`).join() : `<${event.type}>`)).join();

    fc.assert(
      fc.property(fc.array(piece), fc.integer({ min: 1, max: 20 }), (events, cap) => {
        const withText = events.filter((event) => !('text' in event) || event.text !== '');
        const out = merged(withText, cap);
        expect(flat(out).replaceAll(',', '')).toBe(flat(withText).replaceAll(',', ''));
        expect(out.length).toBeLessThanOrEqual(withText.length);
      }),
    );
  });

  it('makes a streamed answer one event', () => {
    expect(merged(sampleRun()).filter((event) => event.type === 'text_delta')).toMatchObject([{ text: 'In a.ts.' }]);
  });
});
