/** The default for `bodyLimit`, in bytes. */
export const DEFAULT_BODY_LIMIT = 65_536;

/** The maximum for `bodyLimit`, in bytes. */
export const BODY_LIMIT_MAX = 2 ** 28;
