/** The default for `bodyLimit`, in bytes. */
export const DEFAULT_BODY_LIMIT = 65_536;

/** The maximum for `bodyLimit`, in bytes. */
export const BODY_LIMIT_MAX = 2 ** 28;

/**
 * The maximum size of a header section, in bytes. It counts the request line, and of each field the name, the colon, the value
 * and the line end; not the white space around a value, which the parser drops.
 */
export const HEADERS_MAX_BYTES = 16_384;

/** The default for `maxConnections`. */
export const DEFAULT_MAX_CONNECTIONS = 10_000;

/** The default for `maxUnsent`, in bytes. */
export const DEFAULT_MAX_UNSENT = 67_108_864;
