import { closeSync, openSync, readFileSync, readdirSync } from 'node:fs';
import { Child } from '../support/child.js';
import { builtOrSource, listening, SOURCE, type RunningCommand } from '../support/command.js';
import type { Sample } from './flatness.js';

/** The API key of the load. */
export const KEY = 'a-key-of-the-endurance-run';

const PROBE = new URL('probe.js', import.meta.url).href;

/**
 * Starts `animal-store serve` in a process of its own: from its sources for a store in TypeScript, which imports them, too.
 * Its log goes to /dev/null, at the default level.
 *
 * @param store As `--store` of the command. @default the catalogue in memory, renewed from time to time
 * @param port @default a free one
 */
export async function startServer(store = './test/soak/renewed-store.ts', port = 0): Promise<RunningCommand> {
  const log = openSync('/dev/null', 'w');
  const { MONGODB_URL = '' } = process.env;
  const env = { API_KEYS: `soak:${KEY}`, NODE_OPTIONS: `--import=${PROBE}`, MONGODB_URL };
  try {
    const { loader, cli } = store.endsWith('.ts') ? SOURCE : builtOrSource();
    const args = [...loader, cli, 'serve', '--store', store, '--port', String(port)];
    const server = Child.start(process.execPath, args, { env, stderr: log });
    return Object.assign(server, await listening(server));
  } finally {
    closeSync(log);
  }
}

/** Measures a server, after a garbage collection in it. */
export async function measure(server: RunningCommand): Promise<Sample> {
  const seen = server.stdout.length;
  server.kill('SIGUSR2');
  const line = await server.find(() => /^probe (\{.*\})\n/m.exec(server.stdout.slice(seen))?.[1]);
  const { heapUsed, rss } = JSON.parse(line) as { heapUsed: number; rss: number };
  return { heap: heapUsed, rss, descriptors: descriptorsOf(server) };
}

/** How many file descriptors a server has open. */
export function descriptorsOf({ pid }: RunningCommand): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** The most memory that a process has held so far, in bytes. Linux only. */
export function peakMemoryOf(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}
