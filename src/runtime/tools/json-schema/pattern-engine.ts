/**
 * The pattern engine (RE2 in JavaScript): matches in time linear in the text, whatever the pattern. It is large
 * and most schemas need none, so it is loaded when the first pattern is compiled.
 */
import { ecmaToRe2, PatternProblem } from './ecma-pattern.ts';

/** Says whether a pattern matches somewhere in a text. */
export type Matches = (text: string) => boolean;

/** Compiles an ECMA-262 pattern. Throws a PatternProblem that says why the engine cannot. */
export type CompilePattern = (source: string) => Matches;

/** Loads the engine, once; later calls get it from the module cache. */
export async function loadPatternEngine(): Promise<CompilePattern> {
  const { RE2JS } = await import('re2js');
  return (source) => {
    try {
      const pattern = RE2JS.compile(RE2JS.translateRegExp(ecmaToRe2(source)), RE2JS.LOOKBEHINDS);
      return (text) => pattern.test(text);
    } catch (error) {
      if (error instanceof PatternProblem || !(error instanceof Error)) throw error;
      throw new PatternProblem(error.message.replace(/^error parsing regexp: /u, ''), { cause: error });
    }
  };
}
