/**
 * Inputs that are shared between checkouts and are no part of this one: recorded provider streams, cases of known
 * breakage, a strict judge of request bodies. Their folder is named by STEERLOOP_SHARED; without it the tests that need
 * them are skipped, loudly.
 */
import { join } from 'node:path';
import process from 'node:process';

/** The folder of the shared inputs; undefined where there is none. */
export const SHARED_FOLDER: string | undefined = process.env['STEERLOOP_SHARED'] || undefined;

/** Why tests are skipped, for their titles; '' where they are not. */
export const SKIPPED = SHARED_FOLDER === undefined ? ' (skipped: STEERLOOP_SHARED is not set)' : '';

/** Tells on the console what is skipped. */
export function warnWhenSkipped(what: string): void {
  if (SHARED_FOLDER === undefined) console.warn(`STEERLOOP_SHARED is not set: ${what} is not tested.`);
}

/** Path of a shared input. Throws where there is no shared folder. */
export function sharedPath(...parts: string[]): string {
  if (SHARED_FOLDER === undefined) throw new Error('STEERLOOP_SHARED is not set');
  return join(SHARED_FOLDER, ...parts);
}
