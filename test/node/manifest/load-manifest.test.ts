import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadManifest, parseManifest } from '../../../src/node/manifest/load-manifest.ts';
import type { Manifest, ManifestTool } from '../../../src/node/manifest/manifest.ts';
import { ConfigError } from '../../../src/runtime/errors.ts';

const folder = mkdtempSync(join(tmpdir(), 'steerloop-manifest-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const shared = process.env['STEERLOOP_SHARED'];
if (shared === undefined) console.warn('STEERLOOP_SHARED is not set: the shared case N1 is skipped.');

const parse = (text: string): Promise<Manifest> => parseManifest(text, { path: 'tools.yaml' });

/** The lines of the error that a bad manifest is refused with. */
async function problemsOf(text: string): Promise<readonly string[]> {
  const error = await parse(text).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ConfigError)) throw new Error('the manifest was not refused with a ConfigError', { cause: error });
  return error.message.split('\n');
}

/** The only tool of a manifest whose further keys are given as lines. */
async function toolWith(...lines: readonly string[]): Promise<ManifestTool | undefined> {
  const { tools } = await parse(manifestWith(...lines));
  return tools[0];
}

function manifestWith(...lines: readonly string[]): string {
  return ['tools:', '  - name: look', '    command: [ls]', ...lines.map((line) => `    ${line}`), ''].join('\n');
}

describe('A good manifest', () => {
  it('gives each tool what it says', async () => {
    const { path, tools } = await parse(`
tools:
  - name: grep_repo
    description: Search files for a regular expression.
    parameters:
      type: object
      properties:
        pattern: { type: string }
      required: [pattern]
    command: ["grep", "-rn", "--", "{{.pattern}}", "."]
    timeout: 20s
    confirm: true
    max_output_bytes: 1000
    cwd: src
    env: [GITHUB_TOKEN, "MODE=fast"]
    effect: idempotent
    interruptible: true
    ok_exit_codes: [0, 1]
    allow_flag_values: true
`);

    expect(path).toBe('tools.yaml');
    expect(tools).toEqual([
      {
        name: 'grep_repo',
        description: 'Search files for a regular expression.',
        parameters: { type: 'object', properties: { pattern: { type: 'string' } }, required: ['pattern'], additionalProperties: false },
        command: ['grep', '-rn', '--', '{{.pattern}}', '.'].map((source) => ({
          source,
          parts: [source === '{{.pattern}}' ? { parameter: 'pattern' } : source],
        })),
        timeoutMs: 20_000,
        confirm: true,
        maxOutputBytes: 1_000,
        cwd: 'src',
        env: { kind: 'allowlist', pass: ['GITHUB_TOKEN'], set: { MODE: 'fast' } },
        effect: 'idempotent',
        interruptible: true,
        okExitCodes: [0, 1],
        allowFlagValues: true,
      },
    ]);
  });

  it('fills in every key that is left out', async () => {
    expect(await toolWith()).toEqual({
      name: 'look',
      description: 'Runs: ls',
      parameters: { type: 'object', properties: {}, additionalProperties: false },
      command: [{ source: 'ls', parts: ['ls'] }],
      timeoutMs: 60_000,
      confirm: false,
      maxOutputBytes: 65_536,
      env: { kind: 'allowlist', pass: [], set: {} },
      effect: 'write',
      interruptible: false,
      okExitCodes: [0],
      allowFlagValues: false,
    });
  });

  it('takes a read tool for interruptible unless it says otherwise', async () => {
    expect(await toolWith('effect: read')).toMatchObject({ interruptible: true });
    expect(await toolWith('effect: read', 'interruptible: false')).toMatchObject({ interruptible: false });
    expect(await toolWith('effect: idempotent')).toMatchObject({ interruptible: false });
  });

  it.each([
    ['500ms', 500],
    ['20s', 20_000],
    ['1.5s', 1_500],
    ['5m', 300_000],
    ['1000h', 3_600_000_000],
  ])('reads the duration %s', async (text, timeoutMs) => {
    expect(await toolWith(`timeout: ${text}`)).toMatchObject({ timeoutMs });
  });

  it('reads env as inherit, as a list and as a map', async () => {
    expect(await toolWith('env: inherit')).toMatchObject({ env: { kind: 'inherit' } });
    expect(await toolWith('env: [A, B=, "C=x=y"]')).toMatchObject({ env: { pass: ['A'], set: { B: '', C: 'x=y' } } });
    expect(await toolWith('env: { A: , PORT: 8080, C: "x y" }')).toMatchObject({ env: { pass: ['A'], set: { PORT: '8080', C: 'x y' } } });
  });

  it('takes numbers and words of a command as they are written', async () => {
    const { tools } = await parse('tools:\n  - name: head\n    command: [head, -n, 007, no, true, 1e3]\n');

    expect(tools[0]?.command.map(({ source }) => source)).toEqual(['head', '-n', '007', 'no', 'true', '1e3']);
  });

  it('may say blanks inside a placeholder, and what is no placeholder at all', async () => {
    const { tools } = await parse(
      'tools:\n  - name: t\n    parameters: {type: object, properties: {a-b: {}}}\n    command: [p, "{{ .a-b }}/{{json .}}", "{{{.a-b}}}"]\n',
    );

    expect(tools[0]?.command.map(({ parts }) => parts)).toEqual([
      ['p'],
      [{ parameter: 'a-b' }, '/{{json .}}'],
      ['{', { parameter: 'a-b' }, '}'],
    ]);
  });

  it('may use anchors and aliases', async () => {
    const { tools } = await parse(`
tools:
  - name: one
    parameters: &path { type: object, properties: { path: { type: string } } }
    command: [cat, "{{.path}}"]
  - name: two
    parameters: *path
    command: [wc, "{{.path}}"]
`);

    expect(tools[1]?.parameters).toEqual(tools[0]?.parameters);
  });

  it('closes its schema whatever the file says about further properties', async () => {
    expect(await toolWith('parameters: { type: object, additionalProperties: true }')).toMatchObject({
      parameters: { type: 'object', properties: {}, additionalProperties: false },
    });
  });
});

describe('A file', () => {
  it('is read as it is, byte order mark and Windows line ends included', async () => {
    const path = join(folder, 'good.yaml');
    writeFileSync(path, `\ufeff${manifestWith('timeout: 1s').replaceAll('\n', '\r\n')}`);

    expect(await loadManifest(path)).toMatchObject({ path, tools: [{ name: 'look', timeoutMs: 1_000 }] });
  });

  it('that cannot be read is an error that names it and the reason', async () => {
    const path = (name: string): string => join(folder, name);
    mkdirSync(path('folder'));
    execFileSync('mkfifo', [path('fifo')]);
    writeFileSync(path('binary'), Uint8Array.of(0xff, 0xfe, 0x00));

    await expect(loadManifest(path('missing'))).rejects.toThrow(`Cannot read the manifest ${path('missing')}: it does not exist. Give`);
    await expect(loadManifest(path('folder'))).rejects.toThrow('it is a directory. Give');
    await expect(loadManifest(path('fifo'))).rejects.toThrow('it is a named pipe and no regular file. Give');
    await expect(loadManifest(path('binary'))).rejects.toThrow('it is not UTF-8 text. Give');
  });
});

describe('A bad manifest', () => {
  it.skipIf(shared === undefined)(
    'with placeholders that YAML takes for maps names tool, element, line and the cure (needs STEERLOOP_SHARED)',
    async () => {
      const neutral = readFileSync(join(shared ?? '', 'cases/N1.yaml'), 'utf8');
      const text = neutral.replaceAll('argv:', 'command:').replaceAll('params:', 'parameters:').replace('"{{path}}"', '"{{.path}}"');

      expect(await problemsOf(text)).toEqual([
        'tools.yaml:5: tool "show", command[1]: {{path}} without quotes is a map to YAML and no text; quote it: "{{.path}}"',
        'tools.yaml:11: tool "show2", command[1]: {path} without quotes is a map to YAML and no text; quote it: "{{.path}}"',
      ]);
    },
  );

  it('shows all its problems at once, in the order of the file', async () => {
    const problems = await problemsOf(`tools:
  - name: one
    comand: [ls]
    timeout: 5
  - name: one
    command: ls -la
`);

    expect(problems).toEqual([
      'tools.yaml:2: tool "one": the tool has no command; give it a list such as ["grep", "-rn", "--", "{{.pattern}}", "."]',
      'tools.yaml:3: tool "one": unknown key "comand"; did you mean command?',
      'tools.yaml:4: tool "one", timeout: expected a duration such as 500ms, 20s, 5m or 1h, longer than nothing, not 5; write a unit: 5s',
      'tools.yaml:5: tool "one", name: a tool of this name stands on line 2 already; rename one of them',
      'tools.yaml:6: tool "one", command: a command is a list of a program and its arguments, never a line for a shell; write ["grep", "-rn", "--", "{{.pattern}}", "."]',
    ]);
  });

  it.each([
    ['an empty file', '', 1, 'the file is empty'],
    ['a file of comments', '# nothing\n', 1, 'the file is empty'],
    ['an empty document', '---\n...\n', 1, 'the file is empty'],
    ['a second document', 'tools: []\n---\ntools: []\n', 2, 'a second document begins here; keep one and remove the ---'],
    ['YAML 1.1', '%YAML 1.1\n---\ntools: no\n', 1, '%YAML 1.1 reads words such as no and 010 differently'],
    ['a tab', 'tools:\n\t- name: look\n', 2, 'a tab cannot indent YAML; use spaces'],
    ['a tag', 'tools:\n  - name: !secret look\n    command: [ls]\n', 2, 'a manifest needs no tags, remove it'],
    ['binary data', 'tools:\n  - name: look\n    command: !!binary aGk=\n', 3, 'remove the tag'],
    ['a text in place of a map', 'hello\n', 1, 'expected a map with the key tools, not hello'],
    ['another key at the top', 'tool: []\n', 1, 'unknown key "tool"; did you mean tools?'],
    ['no tools', 'tools: []\n', 1, 'a manifest needs a list named tools with at least one tool'],
    ['a tool that is a word', 'tools: [look]\n', 1, 'a tool is a map with name and command, not look'],
    ['an alias to nothing', 'tools: *gone\n', 1, '*gone stands for nothing; define it earlier with &gone'],
    ['an alias to what it stands in', 'tools: &a\n  - *a\n', 2, 'more than 64 levels'],
    ['thousands of levels', `tools: ${'['.repeat(20_000)}`, 1, 'more than 64 levels'],
    ['a file that is too large', `# ${'x'.repeat(1_048_576)}`, 1, 'larger than 1048576 characters'],
  ])('is refused for %s', async (_, text, line, problem) => {
    const [first] = await problemsOf(text);

    expect(first).toMatch(new RegExp(`^tools\\.yaml:${line}: `));
    expect(first).toContain(problem);
  });

  it('is refused for an alias bomb', async () => {
    const levels = Array.from(
      { length: 9 },
      (_, level) =>
        `  - &l${level + 1} [${Array(10)
          .fill(level === 0 ? 'x' : `*l${level}`)
          .join(', ')}]`,
    );

    const problems = await problemsOf(`tools:\n${levels.join('\n')}\n`);

    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^tools\.yaml:\d+: .*more than 20000 values once its aliases are replaced/);
  });

  it.each([
    ['an unknown key', 'interruptable: true', 4, 'unknown key "interruptable"; did you mean interruptible?'],
    ['a key that stands twice', 'name: other', 4, 'this key stands twice in its map; remove one'],
    ['a duration without unit', 'timeout: 60', 4, 'write a unit: 60s'],
    ['a duration of nothing', 'timeout: 0s', 4, 'longer than nothing, not 0s'],
    ['a truth value of YAML 1.1', 'confirm: yes', 4, 'expected true or false, not yes'],
    ['a number with a leading zero', 'max_output_bytes: 0100', 4, 'expected a whole number from 1 to 67108864, not 0100'],
    ['a number in place of a list', 'ok_exit_codes: 1', 4, 'expected a list such as [0, 1], not 1'],
    ['an exit code that no program has', 'ok_exit_codes: [0, 256]', 4, 'expected a whole number from 0 to 255, not 256'],
    ['an unknown effect', 'effect: none', 4, 'expected read, idempotent, write, not none'],
    ['a placeholder in cwd', 'cwd: "{{.dir}}"', 4, 'placeholders stand in command only'],
    ['an unquoted placeholder in cwd', 'cwd: {{.dir}}', 4, 'quote it: "{{.dir}}"'],
    ['a placeholder in env', 'env: { A: "x{{.dir}}" }', 4, 'placeholders stand in command only'],
    ['a variable that cannot be', 'env: ["A-B"]', 4, '"A-B" is no name of a variable'],
    ['an env that is a number', 'env: 5', 4, 'expected inherit, a list of names, or a map of names and values, not 5'],
    ['parameters that are no schema', 'parameters: [path]', 4, 'parameters must be a JSON Schema with type: object, not a list'],
    ['a schema of another type', 'parameters: { type: string }', 4, 'type: object, not one of another type'],
    ['a schema without type', 'parameters: { properties: {} }', 4, 'type: object, not one of another type'],
    ['a parameter name that no placeholder takes', 'parameters: { type: object, properties: { a b: {} } }', 4, 'a parameter is named with'],
    ['a required parameter that is not declared', 'parameters: { type: object, required: [path] }', 4, 'path is required but not declared'],
    [
      'a number that JSON cannot say',
      'parameters: { type: object, properties: { a: { default: .inf } } }',
      4,
      'would not mean what it says',
    ],
    ['a number that would lose digits', 'parameters: { type: object, maximum: 12345678901234567890 }', 4, 'would not mean what it says'],
    ['a map in place of a key', 'parameters: { type: object, properties: { {{.a}}: {} } }', 4, 'cannot be a key; quote it'],
  ])('is refused for %s', async (_, key, line, problem) => {
    const problems = await problemsOf(manifestWith(key));

    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^tools\\.yaml:${line}: tool "(look|other)"`));
    expect(problems[0]).toContain(problem);
  });

  it.each([
    ['an unknown placeholder', '[cat, "{{.paht}}"]', 1, '{{.paht}} stands for no declared parameter; did you mean {{.path}}?'],
    ['a placeholder without dot', '[cat, "{{path}}"]', 1, '{{path}} is no placeholder; write {{.path}}'],
    ['a placeholder without end', '[cat, "{{.path}"]', 1, '{{.path} is no placeholder; write {{.path}}'],
    ['a placeholder that begins a longer element', '[cat, {{.path}}/x]', 1, 'quote every element that holds a placeholder'],
    ['a placeholder within an element', '[cat, --file={{.path}}]', 1, 'quote every element that holds a placeholder'],
    ['a map', '[cat, { a: b, c: d }]', 1, 'a map stands where a text belongs; quote it: "{ a: b, c: d }"'],
    ['a list within', '[cat, [a]]', 1, 'a list stands where a text belongs; quote it: "[a]"'],
    ['null', '[cat, null]', 1, 'null means nothing to YAML and is no text; quote it: "null"'],
    ['a NUL character', '[cat, "a\\0"]', 1, 'an argument cannot hold a NUL character'],
    ['a placeholder as the program', '["{{.path}}"]', 0, 'the program cannot hold a placeholder'],
    ['a placeholder within the program', '["./{{.path}}"]', 0, 'the program cannot hold a placeholder'],
    ['a program without name', '[""]', 0, 'the program has no name'],
  ])('is refused for a command with %s', async (_, command, index, problem) => {
    const problems = await problemsOf(`tools:
  - name: show
    parameters: { type: object, properties: { path: { type: string } } }
    command: ${command}
`);

    expect(problems).toHaveLength(1);
    expect(problems[0]).toBe(`tools.yaml:4: tool "show", command[${index}]: ${problems[0]?.split(']: ')[1]}`);
    expect(problems[0]).toContain(problem);
  });

  it.each(['[]', '{ a: b }', '5'])('is refused for a command that is %s', async (command) => {
    const [problem] = await problemsOf(`tools:\n  - name: show\n    command: ${command}\n`);

    expect(problem).toMatch(/^tools\.yaml:3: tool "show", command: expected a list such as/);
  });

  it('is refused for a tool without name, and for a name that providers refuse', async () => {
    expect(await problemsOf('tools:\n  - command: [ls]\n')).toEqual(['tools.yaml:2: tool 1: the tool has no name; give it one']);
    expect(await problemsOf('tools:\n  - name: a.b\n    command: [ls]\n')).toEqual([
      'tools.yaml:2: tool "a.b", name: the name must be 1 to 64 letters, digits, _ or -, since providers take no other',
    ]);
  });

  it('shows no more problems than a person reads', async () => {
    const problems = await problemsOf(`tools:\n${'  - 5\n'.repeat(100)}`);

    expect(problems).toHaveLength(21);
    expect(problems.at(-1)).toBe('tools.yaml: and 80 more problems');
  });
});
