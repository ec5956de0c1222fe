import { pino, stdSerializers, type LevelWithSilent, type Logger } from 'pino';
import type { ResponseLog } from '../../adapters/http/pipeline/response-log.js';

/** How many bytes may wait for the reader of the standard error stream. Further lines are dropped. */
export const WAITING_MAX = 2 * 2 ** 20;

let dropped = 0;

/** Lines are lost if nothing reads them, or not fast enough, or if the disk is full. */
export function droppedLogLines(): number {
  return dropped;
}

/** Never waits for its reader. */
const output = {
  write(line: string): void {
    if (process.stderr.writableLength > WAITING_MAX) dropped++;
    else process.stderr.write(line, countLost);
  },
};

function countLost(error?: Error | null): void {
  if (error) dropped++;
}

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

/** An orchestrator calls them every few seconds. */
const PROBES: readonly (string | undefined)[] = ['/livez', '/readyz'];

export function logResponse(log: Logger, response: ResponseLog): void {
  const isNews = response.status !== 200 || !PROBES.includes(response.route);
  log[isNews ? 'info' : 'debug'](response, 'answered');
}

/** Leaves out other members of an error, because a database's error may contain the document that it refused. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { type, message, stack, code } = stdSerializers.err(error) as ReturnType<typeof stdSerializers.err> & {
    readonly code?: unknown;
  };
  return { type, message, code, stack };
}

/** If the server listens on `::`, Node reports an IPv4 address as `::ffff:192.0.2.1`. */
function withoutMapping(address: string | undefined): string | undefined {
  return address?.replace(/^::ffff:(?=[\d.]+$)/, '');
}

/** A time in milliseconds, rounded to microseconds. */
function inMicroseconds(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
