import { pino, stdSerializers, type LevelWithSilent, type Logger } from 'pino';
import type { ResponseLog } from '../../adapters/http/pipeline/response-log.js';
import { consoleLog, type Log } from '../../adapters/http/pipeline/log.js';
import { LogOutput } from './log-output.js';

/** The logger that a storage module gets. Each method takes fields, then a message, as in pino. */
export interface StorageLog extends Log {
  /** For information about the start, such as that it is waiting for a server. */
  info(fields: object, message: string): void;
}

/** Writes warnings and errors to the console, for applications without a logger. */
export const consoleStorageLog: StorageLog = { ...consoleLog, info: () => undefined };

/** The one output of all logs of this process that are written as JSON lines. */
let jsonLines: LogOutput | undefined;

/**
 * The log on the standard error stream: as JSON lines, or in a readable form if the stream is a terminal.
 *
 * JSON lines are written without waiting for their reader, as {@link LogOutput} describes. To a terminal, Node writes
 * synchronously.
 */
export async function createLog({ logLevel }: { readonly logLevel: LevelWithSilent }): Promise<Logger> {
  const serializers = { err: describeError, durationMs: inMicroseconds, clientAddress: withoutMapping };
  const options = { level: logLevel, base: null, serializers };
  if (process.stderr.isTTY) {
    const { default: pretty } = await import('pino-pretty');
    const colorize = process.stderr.hasColors();
    return pino(
      options,
      pretty({ destination: process.stderr, colorize, singleLine: true, translateTime: 'HH:MM:ss.l' }),
    );
  }
  jsonLines ??= openJsonLines();
  return pino(options, jsonLines);
}

/** The routes that an orchestrator calls every few seconds. */
const PROBES: readonly (string | undefined)[] = ['/livez', '/readyz'];

/** Logs an answered request at `info`, or a probe that succeeded at `debug`. */
export function logAnswered(log: Logger, answered: ResponseLog): void {
  const isNews = answered.status !== 200 || !PROBES.includes(answered.route);
  log[isNews ? 'info' : 'debug'](answered, 'answered');
}

/** How many log lines of this process were lost because nothing read them, or not fast enough. */
export function droppedLogLines(): number {
  return jsonLines?.droppedLines ?? 0;
}

/** Resolves once every line of the logs of this process has been written, or after a time in milliseconds. */
export async function flushLogs(timeoutMs: number): Promise<void> {
  await jsonLines?.flush(timeoutMs);
}

function openJsonLines(): LogOutput {
  const output = new LogOutput(process.stderr, {
    onRecovery: (lines) => log.warn({ lines }, 'log lines were dropped'),
  });
  const log = pino({ base: null }, output);
  process.on('exit', () => output.flushSync());
  return output;
}

/**
 * Returns the parts of an error that the log contains: its type, message and code, and its stack with those of its causes.
 * Leaves out other members, because a database's error may contain the document that it refused.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { type, message, stack, code } = stdSerializers.err(error) as ReturnType<typeof stdSerializers.err> & {
    readonly code?: unknown;
  };
  return { type, message, code, stack };
}

/** An IPv4 address in its usual form, even if the server listens on `::`, where Node reports it as `::ffff:192.0.2.1`. */
function withoutMapping(address: string | undefined): string | undefined {
  return address?.replace(/^::ffff:(?=[\d.]+$)/, '');
}

/** A time in milliseconds, rounded to microseconds. */
function inMicroseconds(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
