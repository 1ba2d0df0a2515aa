import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { absoluteAgentData, agentFromData, checkAgentData } from '../../src/node/agent-from-data.ts';
import { startRun } from '../../src/runtime/start-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'steerloop-data-'));
afterAll(() => rmSync(folder, { recursive: true }));

const script = join(folder, 'say.json');
writeFileSync(
  script,
  JSON.stringify({ steps: [{ tool_calls: [{ name: 'say', arguments: { what: 'hello' } }] }, { text: 'It said: {{last_result}}' }] }),
);
const manifest = join(folder, 'tools.yaml');
writeFileSync(
  manifest,
  `tools:
  - name: say
    description: Says something.
    parameters:
      type: object
      properties:
        what: { type: string }
      required: [what]
    command: ["printf", "%s", "{{.what}}"]
    confirm: true
`,
);
const key = { ANTHROPIC_API_KEY: 'sk-ant-0123456789' };

describe('an agent from data', () => {
  it('plays a script with the command tools of a manifest', async () => {
    const env = { PATH: process.env['PATH'] };
    const agent = await agentFromData(
      { model: `script:${script}`, tools: manifest, system: 'Be brief.', config: { max_iterations: 3 }, skip_confirm: true },
      { env },
    );
    expect(agent).toMatchObject({ system: 'Be brief.', config: { max_iterations: 3 } });
    expect(agent.hooks).toBeUndefined();
    expect((await startRun(agent, 'go').result).final_content).toBe('It said: hello');
  });

  it('asks a provider, knows its prices and resolves further models by name', async () => {
    const agent = await agentFromData({ model: 'anthropic:claude-sonnet-4-5' }, { env: key });
    expect(agent.model).toMatchObject({ provider: 'anthropic', model: 'claude-sonnet-4-5', secrets: [key.ANTHROPIC_API_KEY] });
    const usage = { input_tokens: 1_000, output_tokens: 1_000, cache_read_tokens: 0, cache_write_tokens: 0, complete: true };
    const call = { provider: 'anthropic', model: 'claude-sonnet-4-5', usage, time: Date.parse('2026-06-01') };
    expect(agent.hooks?.estimateCost?.(call)).toBeGreaterThan(0);
    expect(await agent.models?.(`script:${script}`)).toMatchObject({ provider: 'script' });
    expect((await agentFromData({ model: 'anthropic:claude-sonnet-4-5', prices: false }, { env: key })).hooks).toBeUndefined();
  });

  it('has absolute paths once it is to be read elsewhere', () => {
    expect(absoluteAgentData({ model: 'script:a/b.json', tools: './t.yaml' }, '/home')).toEqual({
      model: 'script:/home/a/b.json',
      tools: '/home/t.yaml',
    });
    expect(absoluteAgentData({ model: 'openai:gpt-5' }, '/home')).toEqual({ model: 'openai:gpt-5' });
  });
});

describe('the check of agent data', () => {
  it('gives the keys of the models it would use', async () => {
    const config = { model: 'openai:gpt-5' };
    const env = { ...key, OPENAI_API_KEY: 'sk-0123456789' };
    expect(await checkAgentData({ model: 'anthropic:claude-sonnet-4-5' }, config, { env })).toEqual([
      env.ANTHROPIC_API_KEY,
      env.OPENAI_API_KEY,
    ]);
  });

  it.each([
    [{ model: 'anthropic:claude-sonnet-4-5' }, {}, 'missing_api_key', /ANTHROPIC_API_KEY/],
    [{ model: 'nobody:knows' }, {}, 'unknown_model_spec', /script:<file>/],
    [{ model: 'script:' }, {}, 'script_unreadable', /script/],
    [{ model: 'script:/nowhere/x.json' }, {}, 'script_unreadable', /Cannot read the script \/nowhere\/x\.json: it does not exist\./],
    [{ model: `script:${folder}` }, {}, 'script_unreadable', /it is a directory/],
    [{ model: `script:${manifest}` }, {}, 'invalid_script', /tools\.yaml/],
    [{ model: `script:${script}`, tools: script }, {}, 'bad_manifest', /say\.json/],
    [{ model: `script:${script}` }, { model: 'openai:gpt-5' }, 'missing_api_key', /OPENAI_API_KEY/],
    [{ model: `script:${script}`, config: { max_cost_usd: 1 } }, {}, 'price_unknown', /max_cost_usd/],
  ])('refuses %o with %o', async (data, config, code, message) => {
    await expect(checkAgentData(data, config, { env: {} })).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });
});
