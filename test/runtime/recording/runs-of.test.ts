import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/runtime/errors.ts';
import type { RecordedLine } from '../../../src/runtime/recording/recording-reader.ts';
import { eventsOfRun, runsOf } from '../../../src/runtime/recording/runs-of.ts';
import { thrownBy } from '../../support/thrown-by.ts';
import { textDelta, warningEvent } from './sample-events.ts';

const chat: RecordedLine[] = [
  { type: 'chat_prompt', time: 1, text: 'one' },
  warningEvent(1, 'run_a'),
  textDelta('hi', { run_id: 'run_a' }),
  { type: 'chat_prompt', time: 1, text: 'two' },
  warningEvent(1, 'run_b'),
  warningEvent(2, 'run_a'),
  warningEvent(2, 'run_b'),
];

describe('the runs of a recording', () => {
  it('are listed in the order in which they began', () => {
    expect(runsOf(chat)).toEqual(['run_a', 'run_b']);
    expect(runsOf([])).toEqual([]);
  });

  it('give the events of the run that began last unless one is named', () => {
    expect(eventsOfRun(chat)).toEqual([warningEvent(1, 'run_b'), warningEvent(2, 'run_b')]);
    expect(eventsOfRun(chat, 'run_a')).toEqual([warningEvent(1, 'run_a'), textDelta('hi', { run_id: 'run_a' }), warningEvent(2, 'run_a')]);
  });

  it('are named in the error for an unknown run', () => {
    const error = thrownBy(() => eventsOfRun(chat, 'run_c'));

    expect(error).toBeInstanceOf(ConfigError);
    expect(error).toMatchObject({ code: 'unknown_run', message: 'The recording holds no run run_c; name one of run_a, run_b.' });
  });

  it('are missed when there are none, with or without a name', () => {
    const prompts = chat.filter((line) => line.type === 'chat_prompt');

    expect(thrownBy(() => eventsOfRun(prompts))).toMatchObject({ code: 'empty_recording' });
    expect(thrownBy(() => eventsOfRun(prompts, 'run_a'))).toMatchObject({ code: 'unknown_run' });
  });
});
