/**
 * The messages between a host and the thread of one run: one schema each, strict, the same at both ends.
 * A message that does not fit is a defect of the two sides and ends the run; that both speak one version is
 * checked before anything else. Durable events travel alone and at once, ephemeral ones in batches.
 */
import * as v from 'valibot';
import { agentDataSchema } from '../node/agent-data.ts';
import { runConfigSchema } from '../runtime/schema/config.ts';
import { controlSchema } from '../runtime/schema/control.ts';
import { errorDataSchema } from '../runtime/schema/error-data.ts';
import { durableEventSchema, ephemeralEventSchema } from '../runtime/schema/event.ts';
import { jsonValueSchema } from '../runtime/schema/json.ts';
import type { RunInput } from '../runtime/start-options.ts';

/** Version of the channel. Rises with every change that the other side would misunderstand. */
export const CHANNEL_VERSION = 1;

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** Where the thread gets its agent from: a module's URL (or the name of a package), or data. */
export const agentSourceSchema = v.variant('kind', [
  v.strictObject({ kind: v.literal('module'), specifier: v.string() }),
  v.strictObject({ kind: v.literal('data'), data: agentDataSchema }),
]);

/** To the thread, first and once: the run. The host has checked all of it. */
export const startMessageSchema = v.strictObject({
  type: v.literal('start'),
  version: v.number(),
  run_id: v.string(),
  agent: agentSourceSchema,
  /** Checked by the host and again by the loop; here it only has to be there. */
  input: v.custom<RunInput>((value) => value !== undefined),
  config: v.optional(runConfigSchema),
  session_id: v.optional(v.string()),
  owner: v.optional(v.string()),
  /** How long tools may go on after a stop, in milliseconds. */
  grace_ms: count,
  /** Keys that must not leave. */
  secrets: v.array(v.string()),
  on_journal_error: v.optional(v.picklist(['end', 'continue'])),
});

/** To the thread: a control for the loop; it always has an id. */
export const controlMessageSchema = v.strictObject({
  type: v.literal('control'),
  control: controlSchema,
  by: v.optional(v.string()),
});

/**
 * To the thread: every event up to `committed_seq` is kept, or, with `error`, cannot be kept any more.
 * `delta_batches` is how many batches of ephemeral events the host has read.
 */
export const ackMessageSchema = v.strictObject({
  type: v.literal('ack'),
  committed_seq: count,
  delta_batches: count,
  error: v.optional(errorDataSchema),
});

/** To the thread: the answer to a `call`, a value or an error. */
export const replyMessageSchema = v.strictObject({
  type: v.literal('reply'),
  id: count,
  value: v.optional(jsonValueSchema),
  error: v.optional(errorDataSchema),
});

/** To the thread: is anybody there? */
export const pingMessageSchema = v.strictObject({ type: v.literal('ping'), id: count });

/** Any message to the thread. */
export const toThreadSchema = v.variant('type', [
  startMessageSchema,
  controlMessageSchema,
  ackMessageSchema,
  replyMessageSchema,
  pingMessageSchema,
]);

/** From the thread, first: it has loaded and waits for `start`. `thread_id` is that of `node:worker_threads`. */
export const readyMessageSchema = v.strictObject({ type: v.literal('ready'), version: v.number(), thread_id: count });

/** From the thread: one durable event, the next of its journal. */
export const eventMessageSchema = v.strictObject({ type: v.literal('event'), event: durableEventSchema });

/** From the thread: ephemeral events of one turn of its event loop, neighbouring texts joined. */
export const deltasMessageSchema = v.strictObject({ type: v.literal('deltas'), events: v.array(ephemeralEventSchema) });

/** From the thread: a control was not accepted. */
export const refusedMessageSchema = v.strictObject({
  type: v.literal('refused'),
  id: v.string(),
  reason: v.string(),
  message: v.optional(v.string()),
});

/** From the thread, before its first event: keys that must not stand in what the host writes either. They stay within the process. */
export const keysMessageSchema = v.strictObject({ type: v.literal('keys'), keys: v.array(v.string()) });

/** From the thread: the run could not begin; no event has been sent. */
export const failedMessageSchema = v.strictObject({ type: v.literal('failed'), error: errorDataSchema });

/** From the thread: a request for something that lives in the host. */
export const callMessageSchema = v.strictObject({
  type: v.literal('call'),
  id: count,
  name: v.string(),
  arguments: v.optional(jsonValueSchema),
});

/** From the thread: a child process group lives or has ended. */
export const childMessageSchema = v.strictObject({
  type: v.literal('child'),
  /** Never 0 or 1: a signal to group 0 or 1 would hit this process, or all of them. */
  pid: v.pipe(v.number(), v.integer(), v.minValue(2)),
  state: v.picklist(['started', 'exited']),
});

/** From the thread: the answer to a `ping`. */
export const pongMessageSchema = v.strictObject({ type: v.literal('pong'), id: count });

/** Any message from the thread. */
export const fromThreadSchema = v.variant('type', [
  readyMessageSchema,
  keysMessageSchema,
  eventMessageSchema,
  deltasMessageSchema,
  refusedMessageSchema,
  failedMessageSchema,
  callMessageSchema,
  childMessageSchema,
  pongMessageSchema,
]);

/** Where an agent comes from. */
export type AgentSource = v.InferOutput<typeof agentSourceSchema>;
/** The run, as the thread is told of it. */
export type StartMessage = v.InferOutput<typeof startMessageSchema>;
/** Any message to the thread. */
export type ToThread = v.InferOutput<typeof toThreadSchema>;
/** Any message from the thread. */
export type FromThread = v.InferOutput<typeof fromThreadSchema>;
