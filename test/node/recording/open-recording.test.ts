import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type OpenRecordingOptions, openRecording } from '../../../src/node/recording/open-recording.ts';
import { readRecordingFile } from '../../../src/node/recording/read-recording-file.ts';
import { ConfigError } from '../../../src/runtime/errors.ts';
import { lineOf } from '../../../src/runtime/recording/line-of.ts';
import type { RunEvent } from '../../../src/runtime/schema/event.ts';
import type { RecordingHeader } from '../../../src/runtime/schema/recording.ts';
import { sampleRun, warningEvent } from '../../runtime/recording/sample-events.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const clock = { now: () => Date.UTC(2026, 11, 1, 10, 15, 8, 123) };
const header: RecordingHeader = { type: 'recording', version: 1, steerloop: '0.0.1', kind: 'run', time: clock.now() };
const program = fileURLToPath(new URL('./recording-program.ts', import.meta.url));
const asRoot = process.getuid?.() === 0;

type Place = Pick<OpenRecordingOptions, 'path' | 'cwd'>;

const open = (place: Place) => openRecording({ ...place, kind: 'run', clock });

async function record(place: Place, events: readonly RunEvent[]): Promise<string> {
  const recording = await open(place);
  for (const event of events) recording.append(event);
  await recording.close();
  return recording.path;
}

const failure = (place: Place): Promise<unknown> =>
  open(place).then(
    (recording) => recording.close(),
    (error: unknown) => error,
  );
const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('the place of a recording', () => {
  it('is a new file in run-recordings under the repository root, named by time, which git ignores', async () => {
    const root = temporaryDirectory();
    mkdirSync(join(root, '.git'));
    mkdirSync(join(root, 'src', 'deep'), { recursive: true });

    const path = await record({ cwd: join(root, 'src', 'deep') }, sampleRun());

    expect(path).toMatch(/\/run-recordings\/20261201T101508Z-\d{10}\.jsonl$/);
    expect(dirname(path)).toBe(join(root, 'run-recordings'));
    expect(readFileSync(join(root, 'run-recordings', '.gitignore'), 'utf8')).toBe('*\n');
    expect(readdirSync(join(root, 'run-recordings'))).toHaveLength(2);
    const { lines, ...rest } = await readRecordingFile(path);
    expect(rest).toEqual({ header, warnings: [] });
    expect(lines.at(-1)).toEqual(sampleRun().at(-1));
  });

  it('is under the repository root too where .git is a file, as in a worktree', async () => {
    const root = temporaryDirectory();
    writeFileSync(join(root, '.git'), 'gitdir: elsewhere\n');
    mkdirSync(join(root, 'sub'));

    expect(dirname(await record({ cwd: join(root, 'sub') }, []))).toBe(join(root, 'run-recordings'));
  });

  it('is the working directory where there is no repository, and keeps a .gitignore that is there', async () => {
    const directory = temporaryDirectory();
    mkdirSync(join(directory, 'run-recordings'));
    writeFileSync(join(directory, 'run-recordings', '.gitignore'), '# mine\n');

    const paths = [await record({ cwd: directory }, []), await record({ cwd: directory }, [])];

    expect(paths.map(dirname)).toEqual([join(directory, 'run-recordings'), join(directory, 'run-recordings')]);
    expect(paths[0]).not.toBe(paths[1]);
    expect(readFileSync(join(directory, 'run-recordings', '.gitignore'), 'utf8')).toBe('# mine\n');
  });

  it('is a path that ends in .jsonl as it is, its folders made', async () => {
    const directory = temporaryDirectory();

    expect(await record({ cwd: directory, path: 'a/b/mine.jsonl' }, [])).toBe(join(directory, 'a', 'b', 'mine.jsonl'));
    expect(await record({ path: join(directory, 'abs.jsonl') }, [])).toBe(join(directory, 'abs.jsonl'));
  });

  it('is a new file in a path that is a directory, ends in a slash or has no extension', async () => {
    const directory = temporaryDirectory();
    mkdirSync(join(directory, 'v1.2'));

    for (const path of ['v1.2', 'new.d/', 'plain']) {
      const made = await record({ cwd: directory, path }, []);
      expect(dirname(made)).toBe(join(directory, path).replace(/\/$/, ''));
      expect(readdirSync(dirname(made))).toEqual([expect.stringMatching(/^20261201T101508Z-\d{10}\.jsonl$/)]);
    }
  });

  it.each(['run.json', 'out.txt', ''])('is refused when the path is %j, with what was expected', async (path) => {
    const directory = temporaryDirectory();

    const error = await failure({ cwd: directory, path });

    expect(error).toBeInstanceOf(ConfigError);
    expect(error).toMatchObject({ code: 'recording_path', message: expect.stringContaining('.jsonl') });
    expect(readdirSync(directory)).toEqual([]);
  });

  it.each<[string, string, string, (path: string) => void]>([
    ['is a directory', 'x.jsonl', 'recording_unavailable', (path) => mkdirSync(path)],
    ['is a named pipe', 'x.jsonl', 'recording_path', (path) => execFileSync('mkfifo', [path])],
    ['leads through a file', 'f/x.jsonl', 'recording_unavailable', (path) => writeFileSync(dirname(path), '')],
    ['holds a NUL', 'a\u0000b.jsonl', 'recording_unavailable', () => {}],
    ['is longer than a name may be', `${'x'.repeat(300)}.jsonl`, 'recording_unavailable', () => {}],
  ])('is refused when the path %s, and no lock stays behind', async (_what, path, code, prepare) => {
    const directory = temporaryDirectory();
    prepare(join(directory, path));

    const error = await failure({ cwd: directory, path });

    expect(error).toBeInstanceOf(ConfigError);
    expect(error).toMatchObject({ code });
    expect(readdirSync(directory).filter((name) => name.includes('.lock'))).toEqual([]);
  });
});

describe('files and folders of a recording', () => {
  it('are closed to all but their owner whatever the umask, made or found, also behind a link', () => {
    const directory = temporaryDirectory();

    const modes: unknown = JSON.parse(
      execFileSync(process.execPath, ['--import', 'tsx', program, 'modes', directory], { encoding: 'utf8' }),
    );

    const expected = [
      '600 folder/NEW.jsonl',
      '600 link.jsonl',
      '600 new/deep/run.jsonl',
      '600 old.jsonl',
      '600 run-recordings/.gitignore',
      '600 run-recordings/NEW.jsonl',
      '600 target.jsonl',
      '700 folder',
      '700 new',
      '700 new/deep',
      '700 run-recordings',
    ];
    expect(modes).toEqual({ '0': expected, '22': expected, '77': expected, '177': expected });
  });

  it('leave folders that were there as they are', async () => {
    const directory = temporaryDirectory();
    mkdirSync(join(directory, 'shared'));
    chmodSync(join(directory, 'shared'), 0o755);

    await record({ cwd: directory, path: 'shared/run.jsonl' }, []);
    await record({ cwd: directory, path: 'shared' }, []);

    expect(modeOf(join(directory, 'shared'))).toBe(0o755);
  });

  it('are written through a link of our own, with the lock beside the real file', async () => {
    const directory = temporaryDirectory();
    mkdirSync(join(directory, 'real'));
    writeFileSync(join(directory, 'real', 'run.jsonl'), `${lineOf(header)}\n`);
    symlinkSync('real/run.jsonl', join(directory, 'link.jsonl'));

    const recording = await open({ cwd: directory, path: 'link.jsonl' });
    expect(readdirSync(join(directory, 'real')).sort()).toEqual(['run.jsonl', 'run.jsonl.lock']);
    recording.append(warningEvent(1));
    await recording.close();

    expect(recording.path).toBe(join(directory, 'real', 'run.jsonl'));
    expect((await readRecordingFile(join(directory, 'link.jsonl'))).lines).toEqual([warningEvent(1)]);
  });

  it('are refused behind a link that leads nowhere', async () => {
    const directory = temporaryDirectory();
    symlinkSync('nowhere.jsonl', join(directory, 'link.jsonl'));

    expect(await failure({ cwd: directory, path: 'link.jsonl' })).toMatchObject({ code: 'recording_link' });
    expect(existsSync(join(directory, 'nowhere.jsonl'))).toBe(false);
  });

  it.skipIf(!asRoot)(
    'are refused behind a link that another user laid, or to a file of another user (needs root to give files away)',
    async () => {
      const directory = temporaryDirectory();
      for (const name of ['own.jsonl', 'theirs.jsonl']) writeFileSync(join(directory, name), `${lineOf(header)}\n`);
      chownSync(join(directory, 'theirs.jsonl'), 12_345, 12_345);
      symlinkSync('own.jsonl', join(directory, 'their-link.jsonl'));
      lchownSync(join(directory, 'their-link.jsonl'), 12_345, 12_345);
      symlinkSync('theirs.jsonl', join(directory, 'own-link.jsonl'));

      for (const path of ['their-link.jsonl', 'own-link.jsonl']) {
        expect(await failure({ cwd: directory, path })).toMatchObject({ code: 'recording_link' });
      }
      for (const name of ['own.jsonl', 'theirs.jsonl']) {
        expect(readFileSync(join(directory, name), 'utf8')).toBe(`${lineOf(header)}\n`);
        expect(modeOf(join(directory, name))).toBe(0o644);
      }
    },
  );

  it.each(['{"name":"my data"}\n', 'a,b\n1,2\n', '{"type":"recording","version":2}\n'])(
    'are left alone when the file holds something else: %j',
    async (content) => {
      const directory = temporaryDirectory();
      const path = join(directory, 'data.jsonl');
      writeFileSync(path, content);
      chmodSync(path, 0o644);

      expect(await failure({ path })).toMatchObject({ code: 'not_a_recording', message: expect.stringContaining(path) });

      expect(readFileSync(path, 'utf8')).toBe(content);
      expect(modeOf(path)).toBe(0o644);
      expect(readdirSync(directory)).toEqual(['data.jsonl']);
    },
  );
});

describe('appending to a recording', () => {
  it('does not repeat the header', async () => {
    const path = join(temporaryDirectory(), 'run.jsonl');
    await record({ path }, [warningEvent(1)]);
    await record({ path }, [warningEvent(2)]);

    expect(readFileSync(path, 'utf8')).toBe([header, warningEvent(1), warningEvent(2)].map((line) => `${lineOf(line)}\n`).join(''));
  });

  it('writes nothing into a recording it only opened and closed', async () => {
    const path = join(temporaryDirectory(), 'run.jsonl');
    await record({ path }, [warningEvent(1)]);
    const before = `${readFileSync(path, 'utf8')}{"type":"warn`;
    writeFileSync(path, before);

    await record({ path }, []);

    expect(readFileSync(path, 'utf8')).toBe(before);
  });

  it('fences a torn last line, so that the reader warns with its number and loses nothing behind it', async () => {
    const path = join(temporaryDirectory(), 'run.jsonl');
    await record({ path }, [warningEvent(1)]);
    writeFileSync(path, `${readFileSync(path, 'utf8')}${lineOf(warningEvent(2)).slice(0, 30)}`);

    await record({ path }, [warningEvent(2), warningEvent(3)]);

    const { header: read, lines, warnings } = await readRecordingFile(path);
    expect(read).toEqual(header);
    expect(lines).toEqual([warningEvent(1), warningEvent(2), warningEvent(3)]);
    expect(warnings).toEqual([{ line: 3, code: 'not_json', message: 'line 3 is no whole JSON object' }]);
  });

  it('loses nothing wherever the file was cut, and leaves a header at its head', async () => {
    const path = join(temporaryDirectory(), 'run.jsonl');
    const whole = Buffer.from([header, ...sampleRun()].map((line) => `${lineOf(line)}\n`).join(''));
    const added = [warningEvent(1, 'run_2'), warningEvent(2, 'run_2')];

    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: whole.length }), async (cut) => {
        writeFileSync(path, whole.subarray(0, cut));
        const before = await readRecordingFile(path);

        await record({ path }, added);

        const after = await readRecordingFile(path);
        expect(after.lines).toEqual([...before.lines, ...added]);
        expect(after.header).toEqual(header);
        expect(after.warnings.length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 60, examples: [[0], [1], [19], [whole.indexOf('\n')], [whole.indexOf('\n') + 1], [whole.length - 1], [whole.length]] },
    );
  });
});
