/** What a person at the command line must put right: one line on stderr, exit code 2. */

/** A mistake in how the command was called. The message names the flag or file, what it holds, and what was expected. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
