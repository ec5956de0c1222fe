/** How many connections may be open if `maxConnections` is left out. */
export const DEFAULT_MAX_CONNECTIONS = 10_000;

/** How many bytes of answers may wait for clients if `maxUnsent` is left out. */
export const DEFAULT_MAX_UNSENT = 67_108_864;
