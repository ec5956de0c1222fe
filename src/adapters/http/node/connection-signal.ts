import type { Socket } from 'node:net';

/** By connection, so that the requests of one share a signal. */
const signals = new WeakMap<object, AbortSignal>();

/**
 * A signal that is aborted when a connection closes. A connection makes it once, for its first request that asks.
 *
 * @param socket `undefined` or incomplete for an injected request. Then there is no signal.
 */
export function connectionSignal(socket: Partial<Socket> | null | undefined): AbortSignal | undefined {
  if (typeof socket?.once !== 'function') return undefined;
  const known = signals.get(socket);
  if (known !== undefined) return known;
  const controller = new AbortController();
  const { signal } = controller;
  signals.set(socket, signal);
  if (socket.destroyed === true) controller.abort();
  else socket.once('close', () => controller.abort());
  return signal;
}
