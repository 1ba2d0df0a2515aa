import { describe, expect, it } from 'vitest';
import { Spinner, type SpinnerClock } from '../../../src/cli/terminal/spinner.ts';

/** A clock that a test turns by hand. */
class ManualClock implements SpinnerClock {
  time = 0;
  readonly ticks = new Set<() => void>();

  now(): number {
    return this.time;
  }

  every(_milliseconds: number, tick: () => void): () => void {
    this.ticks.add(tick);
    return () => this.ticks.delete(tick);
  }

  turn(milliseconds: number): void {
    this.time += milliseconds;
    for (const tick of this.ticks) tick();
  }
}

function setUp() {
  const clock = new ManualClock();
  const written: string[] = [];
  return { clock, written, spinner: new Spinner((text) => written.push(text), clock) };
}

describe('spinner', () => {
  it('shows a long wait with its seconds, and a short one not at all', () => {
    const { clock, written, spinner } = setUp();
    spinner.wait('waiting for the model');
    clock.turn(100);
    expect(written).toEqual([]);
    clock.turn(2_900);
    expect(written).toEqual(['\r\u001b[2K  ⠋ waiting for the model 3s']);
  });

  it('is wiped before anything else is written', () => {
    const { clock, written, spinner } = setUp();
    spinner.wait('running grep');
    clock.turn(1_000);
    spinner.beforeWrite('a line\n');
    expect(written.at(-1)).toBe('\r\u001b[2K');
  });

  it('stays away while a line is open', () => {
    const { clock, written, spinner } = setUp();
    spinner.wait('thinking');
    spinner.beforeWrite('half a line');
    clock.turn(5_000);
    expect(written).toEqual([]);
    spinner.beforeWrite('the rest\n');
    clock.turn(100);
    expect(written).toHaveLength(1);
  });

  it('goes on counting while it waits for the same thing, and has no timer when it waits for nothing', () => {
    const { clock, written, spinner } = setUp();
    spinner.wait('thinking');
    clock.turn(2_000);
    spinner.wait('thinking');
    clock.turn(2_000);
    expect(written.at(-1)).toContain('thinking 4s');
    spinner.wait(undefined);
    expect(clock.ticks.size).toBe(0);
    expect(written.at(-1)).toBe('\r\u001b[2K');
  });

  it('shows what a model named as inert, short text', () => {
    const { clock, written, spinner } = setUp();
    spinner.wait(`running \u001b]0;owned\u0007${'x'.repeat(500)}`);
    clock.turn(1_000);
    const [wipe, shown = ''] = written[0]?.split('  ⠋ ') ?? [];
    expect(wipe).toBe('\r\u001b[2K');
    expect(shown).toMatch(/^running ␛\]0;owned␇x+… 1s$/);
    expect(shown.length).toBeLessThan(70);
  });
});
