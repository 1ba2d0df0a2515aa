/** The `ConfigError` that an action throws, for a test to look at. */
import { ConfigError } from '../../src/runtime/errors.ts';

/** Runs the action. Throws what it throws when that is anything else, and when it throws nothing. */
export function thrownBy(action: () => unknown): ConfigError {
  try {
    action();
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('Nothing was thrown.');
}
