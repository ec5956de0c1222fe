import { parseArgs } from 'node:util';
import type { ServerOptions } from './soaked-server.js';

export const USAGE = 'usage: npm run soak -- --minutes N [--restarts N] [--unread N] [--store NAME]';

/** What an endurance run is to do. */
export interface Options extends ServerOptions {
  readonly minutes: number;
  readonly restarts: number;
  /** How many clients of each kind of answer read nothing; 0 leaves that part out. */
  readonly unread: number;
}

/** A fault of the command line. */
export class UsageError extends Error {}

/** @throws UsageError */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseOptions(args);
  const minutes = Number(values.minutes);
  if (!(minutes > 0 && minutes <= 24 * 60)) throw new UsageError('--minutes must be a number above 0, at most 1440');
  if (!/^\d{1,4}$/.test(values.restarts)) throw new UsageError('--restarts must be an integer from 0 to 9999');
  if (!/^\d{1,3}$/.test(values.unread)) throw new UsageError('--unread must be an integer from 0 to 999');
  return { minutes, restarts: Number(values.restarts), unread: Number(values.unread), store: values.store };
}

function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        minutes: { type: 'string' },
        restarts: { type: 'string', default: '50' },
        unread: { type: 'string', default: '150' },
        store: { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
