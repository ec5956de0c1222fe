/** The levels of the log, from the most to the least verbose. `silent` turns logging off. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** The lowest level that a log writes. */
export type LogLevel = (typeof LOG_LEVELS)[number];
