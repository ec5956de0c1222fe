import type { Socket } from 'node:net';

type SocketOnHandle = Socket & { readonly _handle?: Handle | null };

/**
 * How many bytes the operating system has accepted for sending. The documented members cannot tell: `bytesWritten` also
 * counts bytes that are still queued, and `writableLength` changes only when a whole body has been accepted. By those, a
 * client that reads a large body slowly would seem to read nothing.
 */
export function sentBytes(socket: SocketOnHandle): number {
  const { _handle: handle } = socket;
  return handle ? handle.bytesWritten - handle.writeQueueSize : socket.bytesWritten;
}

/** The members of a socket's handle that this file uses. Node does not document them. */
interface Handle {
  /** How many bytes were written to it. */
  readonly bytesWritten: number;
  /** How many of them the operating system has not accepted yet. */
  readonly writeQueueSize: number;
}

/** How many bytes that were written to a socket the operating system has not accepted yet. */
export function unsentBytes(socket: Socket): number {
  return socket.bytesWritten - sentBytes(socket);
}
