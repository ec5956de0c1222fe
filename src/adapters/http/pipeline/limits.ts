/** In bytes. */
export const DEFAULT_BODY_LIMIT = 65_536;

/** In bytes. */
export const BODY_LIMIT_MAX = 2 ** 28;

/** How long the server waits for its clients, in milliseconds. */
export const DEFAULT_TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  idleTimeout: 60_000,
} as const;

export const DEFAULT_MAX_CONNECTIONS = 10_000;

/** How many bytes may wait because clients do not read, over all connections of a server. */
export const UNSENT_MAX_BYTES = 67_108_864;
