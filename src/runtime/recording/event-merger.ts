/**
 * Joins streamed text on its way to where it is kept or sent: neighbouring deltas of one stream become one event
 * with the time of the first. The joined text is the text that was streamed, nothing changes its place, and at
 * most one event is held back, up to a cap.
 */
import type { EphemeralEvent, RunEvent } from '../schema/event.ts';

type StreamedText = Extract<EphemeralEvent, { text: string }>;

/** Most UTF-16 units that are held back. */
const MOST_HELD = 16_384;

/** Joins neighbouring pieces of streamed text and hands every event on in order. */
export class EventMerger {
  readonly #emit: (event: RunEvent) => void;
  readonly #mostHeld: number;
  #first: StreamedText | undefined;
  #text = '';

  /** `emit` gets every event; `mostHeld` bounds the joined text, in UTF-16 units. */
  constructor(emit: (event: RunEvent) => void, options: { mostHeld?: number } = {}) {
    this.#emit = emit;
    this.#mostHeld = options.mostHeld ?? MOST_HELD;
  }

  /** Takes the next event. All but streamed text goes on at once, behind the text that was held. */
  push(event: RunEvent): void {
    if (!isStreamedText(event)) {
      this.flush();
      this.#emit(event);
      return;
    }
    if (this.#first !== undefined && continues(this.#first, event)) {
      this.#text += event.text;
    } else {
      this.flush();
      this.#first = event;
      this.#text = event.text;
    }
    if (this.#text.length >= this.#mostHeld) this.flush();
  }

  /** Hands on what is held. */
  flush(): void {
    const first = this.#first;
    this.#first = undefined;
    if (first !== undefined) this.#emit({ ...first, text: this.#text });
  }
}

function isStreamedText(event: RunEvent): event is StreamedText {
  switch (event.type) {
    case 'text_delta':
    case 'thinking_delta':
    case 'tool_input_delta':
    case 'tool_output':
      return true;
    default:
      return false;
  }
}

function continues(held: StreamedText, next: StreamedText): boolean {
  if (held.run_id !== next.run_id || held.iteration !== next.iteration || held.origin !== next.origin) return false;
  switch (held.type) {
    case 'text_delta':
      return next.type === 'text_delta' && next.attempt === held.attempt;
    case 'thinking_delta':
      return next.type === 'thinking_delta' && next.attempt === held.attempt;
    case 'tool_input_delta':
      // A name opens the next call, should a provider not count its calls.
      return next.type === 'tool_input_delta' && next.attempt === held.attempt && next.call === held.call && next.name === undefined;
    case 'tool_output':
      return next.type === 'tool_output' && next.call_id === held.call_id;
  }
}
