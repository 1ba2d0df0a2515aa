/** What a model is told of something thrown: name, code and message of an error, the text itself of a thrown text. */
import { describeError, SteerloopError } from '../errors.ts';

const MOST_CAUSES = 3;

/** Text of anything thrown, never empty. Never throws, whatever the getters of the error do. */
export function errorText(error: unknown): string {
  try {
    return error instanceof Error ? textOfError(error, MOST_CAUSES) : textOfOther(error);
  } catch {
    // A getter that throws must not hide that something failed.
    return describeError(error);
  }
}

function textOfError(error: Error, causes: number): string {
  const { cause } = error;
  const own = ownText(error);
  if (cause === undefined || causes === 0) return own;
  return `${own}\ncaused by ${cause instanceof Error ? textOfError(cause, causes - 1) : textOfOther(cause)}`;
}

function ownText(error: Error): string {
  const message = String(error.message);
  // Our own messages are written for whoever reads them, without a class name.
  if (error instanceof SteerloopError && message !== '') return message;
  const name = String(error.name || 'Error');
  const code = 'code' in error && (typeof error.code === 'string' || typeof error.code === 'number') ? String(error.code) : '';
  const title = code === '' || message.includes(code) ? name : `${name} (${code})`;
  return message === '' ? title : `${title}: ${message}`;
}

function textOfOther(thrown: unknown): string {
  if (typeof thrown === 'object' && thrown !== null) {
    const json = JSON.stringify(thrown);
    if (json !== undefined && json !== '{}') return json;
  }
  return describeError(thrown);
}
