/** What the adapter needs of a logger: each method takes fields, then a message, as pino's do. */
export interface Log {
  /** Every answered request. */
  debug(fields: object, message: string): void;
  /** Every request that the store did not answer in time. */
  warn(fields: object, message: string): void;
  /** Every fault of ours, with the error as `err`. */
  error(fields: object, message: string): void;
}

/** Warnings and errors on the standard error stream, for applications that bring no logger. */
export const consoleLog: Log = {
  debug: () => undefined,
  warn: (fields, message) => console.warn(message, fields),
  error: (fields, message) => console.error(message, fields),
};
