/** One end of a run's channel over a `MessagePort`: the transport and nothing else; who reads a message parses it. */
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { MessageChannelEnd } from '../runtime/channel-end.ts';

/** An end that can also be read without waiting for the event loop. */
export interface PollableEnd<Out> extends MessageChannelEnd<Out, unknown> {
  /**
   * Hands what has arrived to the handler, now. Code that runs in microtasks only never gives the event loop a turn, and no
   * message would reach it.
   */
  poll(): void;
}

/** The end of a channel that a port is. The port must not be used by others. */
export function portEnd<Out>(port: MessagePort): PollableEnd<Out> {
  let handle: ((message: unknown) => void) | undefined;
  let closed = false;
  port.once('close', () => (closed = true));
  return {
    post: (message) => port.postMessage(message),
    listen(handler) {
      if (handle === undefined) port.on('message', (message: unknown) => handle?.(message));
      handle = handler;
    },
    close: () => port.close(),
    onClose(handler) {
      if (closed) queueMicrotask(handler);
      else port.once('close', handler);
    },
    poll() {
      if (handle === undefined) return;
      for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) handle(next.message);
    },
  };
}
