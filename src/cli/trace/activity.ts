/** What a run waits for right now, in a few words, for whoever shows that it is alive. A fold over events; pure. */
import type { RunEvent } from '../../runtime/schema/event.ts';

const MODEL = 'waiting for the model';

/** Follows the events of a run and names what it waits for. */
export class Activity {
  readonly #running = new Map<string, string>();
  #label: string | undefined;

  /** What the run waits for; undefined when it waits for nothing worth a word. Holds text of models: show it inert. */
  get label(): string | undefined {
    return this.#label;
  }

  /** Takes the next event of the run. */
  add(event: RunEvent): void {
    switch (event.type) {
      case 'iteration_started':
        this.#running.clear();
        this.#label = MODEL;
        return;
      case 'thinking_delta':
        this.#label = 'thinking';
        return;
      case 'tool_input_delta':
        this.#label = event.name === undefined ? this.#label : `preparing ${event.name}`;
        return;
      case 'retry':
        this.#label = 'trying again';
        return;
      case 'tool_started':
        this.#running.set(event.call_id, event.name);
        this.#label = this.#runningLabel();
        return;
      case 'tool_result':
        this.#running.delete(event.call_id);
        this.#label = this.#runningLabel();
        return;
      case 'approval_requested':
      case 'awaiting_input':
        this.#label = 'waiting for a person';
        return;
      case 'llm_turn':
      case 'done':
        this.#label = undefined;
        return;
      default:
        return;
    }
  }

  #runningLabel(): string | undefined {
    return this.#running.size === 0 ? undefined : `running ${[...this.#running.values()].join(', ')}`;
  }
}
