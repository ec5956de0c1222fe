/** The greatest size of a request's body if `bodyLimit` is left out, in bytes. */
export const DEFAULT_BODY_LIMIT = 65_536;

/** The greatest `bodyLimit`, in bytes. */
export const BODY_LIMIT_MAX = 2 ** 28;
