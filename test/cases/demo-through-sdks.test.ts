/** The question of the demo through the real command and each real SDK: a real grep, and an answer that quotes what it found. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ROOT, runCli } from '../cli/support/cli-process.ts';
import { runInProcess } from '../cli/support/in-process.ts';
import { createWorkspace } from '../cli/support/workspace.ts';
import { ECHO_PREFIX, startEchoingProvider } from '../support/echoing-provider.ts';

const SOURCE = 'src/runtime/stop-rule.ts';
const DEFINITION = /^export const FINISH_TOOL_NAME/;

/** What grep prints for the definition, from the file itself. */
function found(): string {
  const lines = readFileSync(join(ROOT, SOURCE), 'utf8').split('\n');
  const index = lines.findIndex((line) => DEFINITION.test(line));
  return `./${SOURCE}:${index + 1}:${lines[index]}`;
}

it.each([
  ['anthropic:some-model', 'ANTHROPIC', ''],
  ['openai:some-model', 'OPENAI', '/v1'],
] as const)(
  'the demo asks %s, which searches this repository and quotes the line; replay prints the same',
  async (model, variable, suffix) => {
    const provider = await startEchoingProvider({ pattern: DEFINITION.source });
    onTestFinished(() => provider.close());
    const { path } = await createWorkspace();
    const recording = join(path, 'demo.jsonl');
    const words = ['run', '--model', model, '--tools', 'examples/demo.tools.yaml', '--record', recording];
    const env = { [`${variable}_API_KEY`]: 'sk-demo-0123456789abcdef', [`${variable}_BASE_URL`]: provider.url + suffix };
    const ran = await runCli([...words, '--user-prompt', 'Where is FINISH_TOOL_NAME defined?'], { env });

    expect(ran.stdout).toBe(`${ECHO_PREFIX}${found()}\n`);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain(`▸ grep_repo {"pattern":"${DEFINITION.source}"}`);
    expect(provider.requests).toHaveLength(2);
    const replayed = await runInProcess(['replay', '--path', recording, '--speed', '0'], path);
    expect(replayed).toEqual({ code: 0, stdout: ran.stdout, stderr: ran.stderr });
    expect(provider.requests).toHaveLength(2);
  },
);
