/** The program within the test's own process, for what needs no process of its own. */
import { Writable } from 'node:stream';
import { runProgram } from '../../../src/cli/program.ts';
import type { ScreenStream } from '../../../src/cli/terminal/screen.ts';

/** A stream that keeps what is written to it. */
export class KeptStream extends Writable implements ScreenStream {
  text = '';

  override _write(chunk: Buffer, _encoding: string, written: () => void): void {
    this.text += chunk.toString('utf8');
    written();
  }
}

/** Runs the program to its end with an empty environment. */
export async function runInProcess(words: readonly string[], cwd: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const out = new KeptStream();
  const err = new KeptStream();
  const code = await runProgram(words, { cwd, env: {}, out, err });
  return { code, stdout: out.text, stderr: err.text };
}
