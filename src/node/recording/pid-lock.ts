/**
 * PidLock: a file `NAME.lock` beside a recording that says which process writes it, so that there is never a second
 * writer. The lock of a process that has died is taken over. Within one machine only: the lock of another host can not
 * be judged and stands until somebody deletes it.
 */
import { randomUUID } from 'node:crypto';
import { constants, copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { ConfigError, codeOf } from '../../runtime/errors.ts';
import { isJsonObject, parseJson } from '../../runtime/schema/json.ts';
import { PRIVATE_FILE_MODE } from './private-file.ts';

/** Others may take and free the lock while we look at it. */
const MOST_TRIES = 5;
/** How far two readings of the clock may disagree about the same moment. */
const CLOCK_SLACK_MS = 1_000;

/** A lock that is held. */
export interface PidLock {
  /** Frees it. A lock that somebody else holds by now is left alone. Never throws; twice does nothing. */
  release(): void;
}

/**
 * Takes the lock of a file. Synchronous, so that no other opening in this process comes between. Throws a `ConfigError`
 * `recording_locked` that names process and file while another writer holds it, and what the file system throws.
 */
export function takePidLock(path: string): PidLock {
  const lockPath = `${path}.lock`;
  const content = `${JSON.stringify({ pid: process.pid, host: hostname(), time: Date.now(), id: randomUUID() })}\n`;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    if (writeNew(lockPath, content)) return { release: () => releaseLock(lockPath, content) };
    const holder = readLock(lockPath);
    if (holder === undefined) continue;
    if (!isStale(holder)) throw locked(path, lockPath, holder);
    removeStale(lockPath, holder);
  }
  throw locked(path, lockPath, readLock(lockPath));
}

function writeNew(lockPath: string, content: string): boolean {
  try {
    writeFileSync(lockPath, content, { flag: 'wx', mode: PRIVATE_FILE_MODE });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** The text of the lock; undefined when it is gone. */
function readLock(lockPath: string): string | undefined {
  try {
    return readFileSync(lockPath, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whether the process that wrote the lock is known to be dead. */
function isStale(holder: string): boolean {
  const { pid, host, time } = parseHolder(holder);
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0 || host !== hostname()) return false;
  // In a container the next process often gets the number of the one before.
  if (pid === process.pid) return typeof time === 'number' && time < Date.now() - process.uptime() * 1_000 - CLOCK_SLACK_MS;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}

function parseHolder(holder: string): { readonly [key: string]: unknown } {
  const value = parseJson(holder);
  // Half written, or not ours: it stands until a person has looked.
  return isJsonObject(value) ? value : {};
}

/**
 * Two processes may find the same stale lock. Moving it aside succeeds for one; the other may then have moved the new
 * lock, sees that by its text, and puts it back.
 */
function removeStale(lockPath: string, holder: string): void {
  const aside = `${lockPath}.${randomUUID()}`;
  try {
    renameSync(lockPath, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  try {
    if (readLock(aside) !== holder) copyFileSync(aside, lockPath, constants.COPYFILE_EXCL);
  } finally {
    rmSync(aside, { force: true });
  }
}

function releaseLock(lockPath: string, content: string): void {
  try {
    if (readLock(lockPath) === content) rmSync(lockPath, { force: true });
  } catch {
    // The folder is gone or closed to us: nobody can write there, and a lock of ours that stays is stale once we end.
  }
}

function locked(path: string, lockPath: string, holder: string | undefined): ConfigError {
  const { pid, host } = parseHolder(holder ?? '');
  const who = typeof pid === 'number' ? `process ${pid}${host === hostname() ? '' : ` on ${JSON.stringify(host)}`}` : 'another process';
  return new ConfigError(
    'recording_locked',
    `The recording ${path} is being written by ${who}; wait until that has ended or give another path. If it runs no more, delete ${lockPath}.`,
  );
}
