/** From the most verbose to the least. `silent` turns logging off. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** The least important kind of line that a log writes. */
export type LogLevel = (typeof LOG_LEVELS)[number];
