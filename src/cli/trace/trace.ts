/**
 * Trace: events in, text out, for people who watch. `run` and `replay` both print through it, so what one shows the
 * other shows. Pure but for the writer it is given; the bytes depend on the events only, not on their timing nor on how
 * deltas were merged. Everything that a model, a tool or an error says leaves it as inert text.
 */
import type { Control } from '../../runtime/schema/control.ts';
import { type DurableEvent, type DurableEventOf, isDurable, type RunEvent } from '../../runtime/schema/event.ts';
import type { Style } from '../terminal/style.ts';
import { eventLines, type LineContext } from './event-lines.ts';
import { ReplyText } from './reply-text.ts';
import { summaryLines } from './summary.ts';

/** Writes the trace of one run. */
export class Trace implements LineContext {
  readonly style: Style;
  readonly #write: (text: string) => void;
  readonly #reply = new ReplyText();
  readonly #toolNames = new Map<string, string>();
  readonly #controls = new Map<string, Control>();
  #textIsVoid = false;
  #priced = false;
  #lastText: string | undefined;

  /** `write` takes text in order; it must not throw. */
  constructor(write: (text: string) => void, style: Style) {
    this.#write = write;
    this.style = style;
  }

  /** The text of the model's last turn, while no tool call stands behind it. */
  get lastText(): string | undefined {
    return this.#lastText;
  }

  /** Whether the attempt that is over had shown text. */
  get textIsVoid(): boolean {
    return this.#textIsVoid;
  }

  /** Name of the tool of a call; the call's id when nobody called it. */
  toolName(callId: string): string {
    return this.#toolNames.get(callId) ?? callId;
  }

  /** The control that was accepted under this id. */
  control(controlId: string): Control | undefined {
    return this.#controls.get(controlId);
  }

  /** Shows the next event of the run. */
  add(event: RunEvent): void {
    if (isDurable(event)) this.#remember(event);
    this.#print(this.#textOf(event));
  }

  /** Ends a line of streaming text, so that something else can be written to the same terminal. */
  endLine(): void {
    this.#print(this.#reply.breakLine());
  }

  #print(text: string): void {
    if (text !== '') this.#write(text);
  }

  #textOf(event: RunEvent): string {
    switch (event.type) {
      case 'text_delta':
        return this.#reply.push(event.text);
      case 'llm_turn':
        return this.#completeReply(event);
      case 'retry':
        this.#textIsVoid = this.#reply.isShown;
        return this.#reply.end() + eventLines(event, this);
      case 'done':
        return this.#reply.end() + summaryLines(event, { style: this.style, priced: this.#priced });
      default:
        return isDurable(event) ? this.#onItsOwnLine(eventLines(event, this)) : '';
    }
  }

  #onItsOwnLine(lines: string): string {
    return lines === '' ? '' : this.#reply.breakLine() + lines;
  }

  #completeReply({ message }: DurableEventOf<'llm_turn'>): string {
    this.#lastText = message?.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    return this.#lastText === undefined ? this.#reply.end() : this.#reply.complete(this.#lastText);
  }

  #remember(event: DurableEvent): void {
    if (event.type === 'run_started') this.#priced = event.prices !== null;
    if (event.type === 'control_received') this.#controls.set(event.control_id, event.control);
    if (event.type !== 'tool_call') return;
    this.#toolNames.set(event.call_id, event.name);
    this.#lastText = undefined;
  }
}
