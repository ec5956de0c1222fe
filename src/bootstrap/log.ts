import { pino, type Logger } from 'pino';
import { consoleLog, type Log } from '../adapters/http/log.js';
import type { ServerConfig } from './settings/server-config.js';

/** The logger that a storage module gets. Each method takes fields, then a message, as pino's do. */
export interface StorageLog extends Log {
  /** For what an operator wants to know of a start: that it waits for a server, say. */
  info(fields: object, message: string): void;
}

/** Writes warnings and errors to the console, for applications without a logger. */
export const consoleStorageLog: StorageLog = { ...consoleLog, info: () => undefined };

/** The log on the standard error stream, as JSON lines. */
export function createLog({ logLevel }: Pick<ServerConfig, 'logLevel'>): Logger {
  const destination = pino.destination({ dest: 2, sync: true });
  // Ignore write errors (full disk, closed pipe): there is nowhere left to report them, and the server goes on.
  destination.on('error', () => undefined);
  return pino({ level: logLevel, base: null }, destination);
}
