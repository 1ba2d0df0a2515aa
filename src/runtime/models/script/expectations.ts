/** Checks what a step expects of its request. */
import { ModelError } from '../../errors.ts';
import type { ModelRequest } from '../../ports.ts';
import { shorten } from '../../shorten.ts';
import { lastResultText, lastUserText } from './quotes.ts';
import type { ScriptExpectation } from './script-schema.ts';

const MOST_CHARACTERS = 200;

/** Throws a `ModelError` (invalid_request) that lists what the request of model call `callNumber` lacks. */
export function checkExpectations(expectation: ScriptExpectation, request: ModelRequest, callNumber: number): void {
  const problems = [
    missingText('the system prompt', request.system, expectation.system_contains),
    missingText('the last user text', lastUserText(request.messages), expectation.last_user_contains),
    missingText('the last tool result', lastResultText(request.messages), expectation.last_result_contains),
    missingTools(request, expectation.tools_include ?? []),
  ].filter((problem) => problem !== undefined);
  if (problems.length === 0) return;
  throw new ModelError('invalid_request', `the script expected something else of model call ${callNumber}: ${problems.join('; ')}`);
}

function missingText(what: string, text: string | undefined, expected: string | undefined): string | undefined {
  if (expected === undefined || text?.includes(expected)) return undefined;
  return `${what} should contain ${JSON.stringify(expected)} and is ${text === undefined ? 'missing' : JSON.stringify(shorten(text, MOST_CHARACTERS))}`;
}

function missingTools(request: ModelRequest, expected: readonly string[]): string | undefined {
  const offered = request.tools.map((tool) => tool.name);
  const missing = expected.filter((name) => !offered.includes(name));
  if (missing.length === 0) return undefined;
  return `the tools should include ${missing.join(', ')} and are ${offered.join(', ') || 'none'}`;
}
