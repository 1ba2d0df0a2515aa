/**
 * Parsing of channel messages, the same for both ends. The version is looked at before the rest, since a message of
 * another version fits no schema and its complaints would mislead.
 */
import * as v from 'valibot';
import { SteerloopError } from '../runtime/errors.ts';
import { CHANNEL_VERSION, type FromThread, fromThreadSchema, type ToThread, toThreadSchema } from './channel-messages.ts';

/** A message that the host sent. Throws a `SteerloopError`: `channel_version`, or `channel_error` with the place. */
export function parseToThread(data: unknown): ToThread {
  return parse(toThreadSchema, data, 'the host');
}

/** A message that the thread sent. Throws a `SteerloopError`: `channel_version`, or `channel_error` with the place. */
export function parseFromThread(data: unknown): FromThread {
  return parse(fromThreadSchema, data, 'the thread');
}

const versioned = v.object({ type: v.picklist(['start', 'ready']), version: v.number() });

function parse<T>(schema: v.GenericSchema<unknown, T>, data: unknown, sender: string): T {
  const spoken = v.safeParse(versioned, data);
  if (spoken.success && spoken.output.version !== CHANNEL_VERSION) throw wrongVersion(sender, spoken.output.version);
  const parsed = v.safeParse(schema, data);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const place = v.getDotPath(issue);
  throw new SteerloopError(
    'channel_error',
    `A message from ${sender} does not fit the channel${place === null ? '' : ` at ${place}`}: ${issue.message}.`,
  );
}

function wrongVersion(sender: string, version: number): SteerloopError {
  return new SteerloopError(
    'channel_version',
    `The channel's version is ${CHANNEL_VERSION} here, and ${version} at ${sender}: the two come from different versions of steerloop. Install it once, build it again.`,
  );
}
