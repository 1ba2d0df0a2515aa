/** The model that answers now, and the one that a refused change falls back to. */
import type { Model } from '../ports.ts';
import { nameOf } from '../schema/model-request.ts';
import type { RunLog } from './run-log.ts';

/** Holds the model of a run; a change of it is an event, and its keys are known from then on. */
export class ModelInForce {
  readonly #log: RunLog;
  #current: Model;
  #proven: Model;

  constructor(model: Model, log: RunLog) {
    this.#current = model;
    this.#proven = model;
    this.#log = log;
  }

  /** The model that answers the next request. */
  get current(): Model {
    return this.#current;
  }

  /** From here on another model answers; nothing happens where it is the same. */
  change(model: Model): void {
    if (model === this.#current) return;
    this.#current = model;
    this.#log.hideKeys(model.secrets ?? []);
    this.#log.write({ type: 'model_changed', model: nameOf(model) });
  }

  /** The current model has answered: it is the one to fall back to. */
  confirm(): void {
    this.#proven = this.#current;
  }

  /** Falls back to the last model that was confirmed. */
  takeBack(): void {
    this.change(this.#proven);
  }
}
