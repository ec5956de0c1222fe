/** The logger that the interface needs. Each method takes fields, then a message, as in pino. */
export interface Log {
  /** Called for each request that failed because the store did not answer in time. */
  warn(fields: object, message: string): void;
  /** Called for each internal error, with the error as `err`. */
  error(fields: object, message: string): void;
}

/** Writes warnings and errors to the console, for applications without a logger. */
export const consoleLog: Log = {
  warn: (fields, message) => console.warn(message, fields),
  error: (fields, message) => console.error(message, fields),
};
