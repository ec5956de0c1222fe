export const DEFAULT_DEADLINE_MS = 5000;

/** In milliseconds. */
export interface Timeouts {
  /** When a connection that is not made, or not free, is given up. */
  readonly connection: number;
  /** When the server ends a statement. It never ends the wait of a commit, which is in place already. */
  readonly server: number;
  /** When the driver gives up a statement, and its connection. */
  readonly driver: number;
}

/** They end what hangs, each before the next, and before the caller leaves. So a silent host leaves time for another one. */
export function timeoutsOf(deadlineMs: number): Timeouts {
  const part = (share: number): number => Math.ceil(deadlineMs * share);
  return { connection: part(0.4), server: part(0.9), driver: part(0.95) };
}
