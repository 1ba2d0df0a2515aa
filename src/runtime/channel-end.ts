/**
 * MessageChannelEnd: what a typed channel needs of its transport, be it a `MessagePort` or a pair in
 * memory. Nothing here is checked: whoever reads a message from the other side parses it.
 */

/** One end of a channel of two. Messages arrive once each, in the order in which they were posted. */
export interface MessageChannelEnd<Out, In> {
  /** Sends a copy. Throws when the message cannot be cloned; after a close it does nothing. */
  post(message: Out): void;
  /** Receives messages from now on, those that waited first. One handler: a second one takes its place. */
  listen(handler: (message: In) => void): void;
  /** Closes both ends. What was posted before still arrives at the other end. Closing twice does nothing. */
  close(): void;
  /** Calls the handler once when the channel is closed, whichever end did it, and after the last message; at once (not within this call) when it is closed already. */
  onClose(handler: () => void): void;
}
