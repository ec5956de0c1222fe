/** The logger that the interface needs. Each method takes fields, then a message, as in pino. */
export interface Log {
  /** Called for each request that failed because the store did not answer in time. */
  warn(fields: object, message: string): void;
  /** Called for each internal error, with the error as `err`. */
  error(fields: object, message: string): void;
}

export const consoleLog: Log = {
  warn: (fields, message) => console.warn(message, fields),
  error: (fields, message) => console.error(message, fields),
};

/** Never throws: what a log fails to write goes to the console. */
export function safeLog(log: Pick<Log, 'error'> & Partial<Log>): Log {
  const logBy = (level: keyof Log) => (fields: object, message: string) =>
    attempt(
      () => log[level]?.(fields, message),
      (logError) => consoleLog[level]({ ...fields, logError }, message),
    );
  return { warn: logBy('warn'), error: logBy('error') };
}

/** Calls a function of the host whose result nobody needs. */
export function attempt(call: () => unknown, onFailure: (error: unknown) => void): void {
  try {
    const result = call();
    if (result instanceof Promise) result.catch(onFailure);
  } catch (error) {
    onFailure(error);
  }
}
