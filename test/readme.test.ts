/**
 * README and docs say what the code does: code blocks are examples that run, tables are those of the schemas and of the
 * defaults, commands and flags exist, links lead somewhere.
 */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { EXIT_CODES, SIGNAL_EXIT_CODES, USAGE_EXIT_CODE } from '../src/cli/exit-code.ts';
import { runProgram } from '../src/cli/program.ts';
import { ALLOWED_VARIABLES, RUNTIME_KEYS } from '../src/node/command/command-environment.ts';
import { formatDuration, parseDuration } from '../src/node/manifest/duration.ts';
import { parseManifest } from '../src/node/manifest/load-manifest.ts';
import { MANIFEST_DEFAULTS } from '../src/node/manifest/manifest.ts';
import { type Control, DEFAULTS, defineAgent, defineTool, type Run, startRun } from '../src/runtime/index.ts';
import { runConfigSchema } from '../src/runtime/schema/config.ts';
import { controlSchema } from '../src/runtime/schema/control.ts';
import { errorClassSchema } from '../src/runtime/schema/error-data.ts';
import { durableEventSchema, ephemeralEventSchema } from '../src/runtime/schema/event.ts';
import * as testing from '../src/runtime/testing/index.ts';
import { HOST_DEFAULTS, HOST_LIMITS } from '../src/worker/host.ts';
import { anchors, codeBlocks, codeWords, firstWords, localLinks, prose, ROOT, sourceText, table, textOf } from './support/markdown.ts';

const PAGES = ['README.md', ...readdirSync(join(ROOT, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : []))];
const README = textOf('README.md');
const PACKAGE = JSON.parse(textOf('package.json')) as { scripts: Record<string, string>; exports: Record<string, unknown> };

/** What a command of the command line prints to stdout. */
async function printed(...words: string[]): Promise<string> {
  let text = '';
  const out = new Writable({
    write(piece, _encoding, done) {
      text += String(piece);
      done();
    },
  });
  await runProgram(words, { cwd: ROOT, env: {}, out, err: out });
  return text;
}

function typesOf(options: readonly { readonly entries: { readonly type: { readonly literal: string } } }[]): string[] {
  return options.map(({ entries }) => entries.type.literal);
}

describe('code blocks', () => {
  const blocks = PAGES.flatMap((page) => codeBlocks(textOf(page)).map((block) => ({ page, ...block }))).filter(({ language }) =>
    ['ts', 'js', 'yaml'].includes(language),
  );

  it('are there', () => {
    expect(blocks.length).toBeGreaterThan(10);
  });

  it.each(blocks)('in $page are what stands in $source', ({ source, text }) => {
    expect(source).toMatch(/^examples\//);
    expect(text).toBe(sourceText(source ?? ''));
  });

  it('show a first program of 12 lines', () => {
    const program = sourceText('examples/01-first-run.ts#program');
    expect(program.split('\n').filter((line) => line.trim() !== '')).toHaveLength(12);
  });
});

describe('the first screen', () => {
  it('shows the two commands for a fresh clone', () => {
    const screen = README.split('\n').slice(0, 24).join('\n');
    const [commands] = codeBlocks(screen);
    const lines = commands?.text.trim().split('\n') ?? [];
    expect(lines.map((line) => line.split('#')[0]?.trim())).toEqual(['npm ci && npm run demo', 'npm ci && npm test']);
  });

  it('quotes a line of the source that stands where the demo says', () => {
    const [, path = '', line = '', text = ''] = /✓ grep_repo (\S+?):(\d+):(.*)/.exec(README) ?? [];
    expect(textOf(path).split('\n')[Number(line) - 1]).toBe(text);
  });
});

describe('the tree of a run', () => {
  /** A run as the tree draws it: a tool call, a message while the tool runs, an answer. */
  async function steeredRun(): Promise<Run> {
    const work = testing.deferred();
    const tool = defineTool({ name: 'work', description: 'Works.', input: { type: 'object' }, execute: () => work.promise });
    const model = testing.scriptedModel([testing.toolCall('work'), testing.text('done')]);
    const run = startRun(defineAgent({ model, tools: [tool] }), 'Work.');
    const reader = testing.collect(run);
    await testing.waitForEvent(run, 'tool_started');
    run.inject('Hurry.');
    work.resolve();
    await reader;
    return run;
  }

  it('names the durable events of such a run in their order', async () => {
    const tree = codeBlocks(README).find(({ text }) => text.startsWith('run_started'))?.text ?? '';
    const names = tree.split('\n').flatMap((line) => /^[│├└─ ]*([a-z_]+)/.exec(line)?.[1] ?? []);
    const ephemeral = typesOf(ephemeralEventSchema.options);
    const durable = (await testing.collect(await steeredRun())).map(({ type }) => type);

    expect(names.filter((name) => !ephemeral.includes(name))).toEqual(durable);
    expect(names.filter((name) => ephemeral.includes(name))).toEqual(['tool_input_delta', 'text_delta']);
  });
});

describe('the tables of events', () => {
  it('list the durable events of the schema', () => {
    expect(firstWords(table(README, 'durable event'))).toEqual(typesOf(durableEventSchema.options));
  });

  it('list the ephemeral events of the schema', () => {
    expect(firstWords(table(README, 'ephemeral event'))).toEqual(typesOf(ephemeralEventSchema.options));
  });
});

describe('the table of controls', () => {
  const rows = table(README, 'control');
  const samples: Record<Control['type'], Control> = {
    inject: { type: 'inject', message: 'hello' },
    modify_config: { type: 'modify_config', max_iterations: 2 },
    stop: { type: 'stop', mode: 'after_step' },
    decide: { type: 'decide', decision: 'allow' },
    answer: { type: 'answer', content: 'yes' },
    cancel_call: { type: 'cancel_call', call_id: 'call_1' },
  };

  it('lists the controls of the schema', () => {
    expect(firstWords(rows)).toEqual(typesOf(controlSchema.options));
  });

  it.each(rows)('says of %s whether this version takes it', async (name = '', _does, now) => {
    const run = startRun(defineAgent({ model: testing.scriptedModel([testing.hang()]) }), 'Wait.');
    const { accepted } = run.send(samples[codeWords(name)[0] as Control['type']]);
    const others = ['now', 'after_run'].map((delivery) => run.send({ type: 'inject', message: 'hello', delivery } as Control));
    run.stop();

    expect((await accepted).reason).toBe(now === 'later' ? 'unsupported' : undefined);
    for (const other of others) expect((await other.accepted).reason).toBe('unsupported');
  });
});

describe('settings and defaults', () => {
  it('list the settings of a run', () => {
    expect(firstWords(table(README, 'setting').map((row) => row.slice(0, 1)))).toEqual(Object.keys(runConfigSchema.entries));
  });

  it('say the defaults of those that have one', () => {
    const defaults = Object.fromEntries(table(README, 'setting').map(([name = '', value = '']) => [codeWords(name)[0], value]));
    expect(defaults).toMatchObject({
      max_iterations: String(DEFAULTS.maxIterations),
      max_attempts: String(DEFAULTS.maxAttempts),
      stop_on: '`text`',
    });
    expect(README).toContain(`${DEFAULTS.maxOutputTokens.toLocaleString('en-US')} is sent to Anthropic`);
  });

  it('list every default of the runtime with its value', () => {
    const shown = Object.entries(DEFAULTS).map(([name, value]) => [`\`${name}\``, showDefault(name, value)]);
    expect(table(README, 'default').map((row) => row.slice(0, 2))).toEqual(shown);
  });

  function showDefault(name: string, value: number): string {
    if (name.endsWith('Ms')) return formatDuration(value);
    return name.endsWith('Bytes') ? `${value / 1_024} KiB` : value.toLocaleString('en-US');
  }

  it('list the defaults of a host', () => {
    const { mostThreads, leastHeapMb } = HOST_LIMITS;
    const rows = table(textOf('docs/threads.md'), 'option');
    const shown = Object.fromEntries(rows.map(([name = '', value = '']) => [codeWords(name)[0], Number(value.replace(',', ''))]));
    expect(shown).toMatchObject(HOST_DEFAULTS);
    expect(rows[0]?.[2]).toContain(`at most ${mostThreads}`);
    expect(rows[2]?.[2]).toContain(`${leastHeapMb} or more`);
  });
});

describe('models', () => {
  it('list the specs that the command line knows', async () => {
    const known = /Expected one of (.*)\.\s/.exec(`${await printed('run', '--model', 'nothing', '--user-prompt', 'x')}\n`)?.[1];
    expect(firstWords(table(README, 'spec'))).toEqual(known?.split(', '));
  });

  it('list the classes of errors', () => {
    expect([...firstWords(table(textOf('docs/models.md'), 'class'))].sort()).toEqual([...errorClassSchema.options].sort());
  });
});

describe('the manifest', () => {
  const rows = table(README, 'key');

  it('has exactly the keys that are listed', async () => {
    const text = 'tools: [{ name: a, command: [ls], zzzzzzzz: 1 }]';
    const error = await parseManifest(text, { path: 'm' }).catch((thrown: unknown) => String(thrown));
    expect(String(error)).toContain('the keys are ');
    expect([...firstWords(rows)].sort()).toEqual(/the keys are (.*)$/m.exec(String(error))?.[1]?.split(', ').sort());
  });

  it('has the defaults that are listed', () => {
    const shown = Object.fromEntries(rows.map(([name = '', value = '']) => [codeWords(name)[0], value]));
    expect(parseDuration(shown['timeout'] ?? '')).toBe(MANIFEST_DEFAULTS.timeoutMs);
    expect(shown).toMatchObject({
      confirm: String(MANIFEST_DEFAULTS.confirm),
      max_output_bytes: String(MANIFEST_DEFAULTS.maxOutputBytes),
      effect: MANIFEST_DEFAULTS.effect,
      ok_exit_codes: JSON.stringify(MANIFEST_DEFAULTS.okExitCodes),
      allow_flag_values: String(MANIFEST_DEFAULTS.allowFlagValues),
    });
  });

  it.each(['README.md', 'docs/manifest.md'])('passes on the environment variables that %s lists', (page) => {
    expect(listFrom('PATH', textOf(page))).toEqual(ALLOWED_VARIABLES);
  });

  it('leaves out the keys that are listed under inherit', () => {
    expect(listFrom('ANTHROPIC_API_KEY', textOf('docs/manifest.md'))).toEqual(RUNTIME_KEYS);
  });

  /** The list of variables that begins with this one, also over several lines. */
  function listFrom(first: string, page: string): string[] {
    return codeWords(new RegExp(`\`${first}\`(?:,\\s+\`[A-Z_]+\`)*`).exec(page)?.[0] ?? '');
  }
});

describe('the command line', () => {
  it('exits with the codes that are listed', () => {
    const rows = table(README, 'exit code').map(([code = '', why = '']) => ({ code: Number(code), words: codeWords(why) }));
    const listed = rows.flatMap(({ code, words }) => words.map((reason) => [reason, code]));
    const signals = table(README, 'exit code').at(-1)?.[1]?.match(/\d+/g)?.map(Number);
    expect(Object.fromEntries(listed)).toEqual(EXIT_CODES);
    expect(signals).toEqual([SIGNAL_EXIT_CODES.SIGTERM, SIGNAL_EXIT_CODES.SIGHUP, SIGNAL_EXIT_CODES.SIGPIPE]);
    expect(rows.map(({ code }) => code)).toContain(USAGE_EXIT_CODE);
    expect(EXIT_CODES.stopped).toBe(SIGNAL_EXIT_CODES.SIGINT);
  });

  it.each(['run', 'replay'])('has exactly the flags of %s that are listed', async (command) => {
    const help = await printed(command, '--help');
    const flags = [...help.matchAll(/^ {2}(--\S+(?: <\S+>)?)/gm)].map(([, flag]) => flag);
    const [, section = ''] = new RegExp(`## Flags of \`${command}\`\n(.*?)(?=\n## |$)`, 's').exec(textOf('docs/command-line.md')) ?? [];
    expect(firstWords(table(section, 'flag').map((row) => row.slice(0, 1)))).toEqual(flags);
  });

  it('has the commands that are named', async () => {
    const help = await printed('--help');
    const commands = [...help.matchAll(/^ {2}([a-z]+)( |$)/gm)].map(([, name]) => name);
    const shell = PAGES.flatMap((page) => codeBlocks(textOf(page)).filter(({ language }) => language === 'sh')).map(({ text }) => text);
    const spoken = PAGES.flatMap((page) => codeWords(prose(textOf(page))));
    const lines = [...spoken, ...shell.join('\n').split('\n')];
    const named = lines.flatMap((line) => /^steerloop ([a-z]+)/.exec(line)?.[1] ?? []);
    expect(named.length).toBeGreaterThan(0);
    for (const name of named) expect(commands).toContain(name);
  });
});

describe('what is named', () => {
  it.each(PAGES)('in %s are scripts of the package', (page) => {
    for (const [, script = ''] of textOf(page).matchAll(/npm run ([a-z:]+)/g)) expect(Object.keys(PACKAGE.scripts)).toContain(script);
  });

  it.each(PAGES)('in %s are entries of the package', (page) => {
    for (const [, entry = ''] of textOf(page).matchAll(/`steerloop\/([a-z]+)`/g))
      expect(Object.keys(PACKAGE.exports)).toContain(`./${entry}`);
  });

  it('as parts of steerloop/testing is what it exports', () => {
    expect([...firstWords(table(textOf('docs/testing.md'), 'name'))].sort()).toEqual(Object.keys(testing).sort());
  });

  it.each(PAGES)('as targets of links in %s is there', (page) => {
    for (const target of localLinks(textOf(page))) {
      const [path = '', anchor] = target.split('#');
      const file = normalize(path === '' ? page : join(dirname(page), path));
      expect(existsSync(join(ROOT, file)), target).toBe(true);
      if (anchor !== undefined) expect(anchors(textOf(file)), target).toContain(anchor);
    }
  });
});
