import type { Environment } from '../support/child.js';
import { startCommand, type RunningCommand } from '../support/command.js';

/** A key that every service started here accepts, by its `API_KEYS`. */
export const KEY = 'a-key-of-more-than-16';

/** Starts `animal-store serve` on a PostgreSQL database. */
export async function startOnPostgres(
  url: string,
  flags: readonly string[] = [],
  env: Environment = {},
): Promise<RunningCommand> {
  const set = { API_KEYS: `anna:${KEY}`, POSTGRES_URL: url, ...env };
  return startCommand(['--store', 'postgres', '--log-level', 'warn', ...flags], set);
}
