import type { Socket } from 'node:net';

/** By connection: all requests of a connection share one signal. */
const signals = new WeakMap<object, AbortSignal>();

/**
 * Returns the signal of a connection, which is aborted when the connection closes. Creates it on the first call.
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
