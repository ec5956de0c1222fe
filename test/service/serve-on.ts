import type { Environment } from '../support/child.js';
import { startCommand, type RunningCommand } from '../support/command.js';

/** A key that every service started here accepts, by its `API_KEYS`. */
export const KEY = 'a-key-of-more-than-16';

/** Starts `animal-store serve` on the store of these settings, with everything in its log. */
export async function serveOn(store: Environment, ...flags: string[]): Promise<RunningCommand> {
  return startCommand(['--log-level', 'trace', ...flags], { API_KEYS: `anna:${KEY}`, ...store });
}
