import { pino, stdSerializers, type LevelWithSilent, type Logger } from 'pino';
import type { ResponseLog } from '../../adapters/http/pipeline/response-log.js';

/** How many bytes may wait for the reader of the standard error stream. Further lines are dropped. */
export const WAITING_MAX = 2 * 2 ** 20;

let dropped = 0;

/** How many lines of the log of this process were lost: nothing read them, or not fast enough, or the disk was full. */
export function droppedLogLines(): number {
  return dropped;
}

/** Writes lines to the standard error stream, and never waits for its reader. */
const output = {
  write(line: string): void {
    if (process.stderr.writableLength > WAITING_MAX) dropped++;
    else process.stderr.write(line, countLost);
  },
};

function countLost(error?: Error | null): void {
  if (error) dropped++;
}

/** The log on the standard error stream: as JSON lines, or in a readable form if the stream is a terminal. */
export async function createLog(level: LevelWithSilent): Promise<Logger> {
  const serializers = { err: describeError, durationMs: inMicroseconds, clientAddress: withoutMapping };
  const options = { level, base: null, serializers };
  // A failed write is reported to its callback. Without a listener, the event would end the process.
  if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => undefined);
  if (!process.stderr.isTTY) return pino(options, output);
  const { default: pretty } = await import('pino-pretty');
  const colorize = process.stderr.hasColors();
  return pino(
    options,
    pretty({ destination: process.stderr, colorize, singleLine: true, translateTime: 'HH:MM:ss.l' }),
  );
}

/** The routes that an orchestrator calls every few seconds. */
const PROBES: readonly (string | undefined)[] = ['/livez', '/readyz'];

/** Logs an answered request at `info`, or a probe that succeeded at `debug`. */
export function logResponse(log: Logger, response: ResponseLog): void {
  const isNews = response.status !== 200 || !PROBES.includes(response.route);
  log[isNews ? 'info' : 'debug'](response, 'answered');
}

/**
 * Returns the parts of an error that the log contains: its type, message and code, and the stacks of it and its causes.
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
