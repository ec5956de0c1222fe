import { Load } from '../support/load.js';
import { RawConnection } from '../support/raw-connection.js';
import { ABUSES } from './abuse.js';
import { lastingClient } from './load-clients.js';
import { startServer } from './soaked-server.js';

/** How many clients each server has when it gets SIGTERM. */
const CLIENTS = 8;
/** How many requests are answered before the signal. */
const ANSWERS_BEFORE_THE_SIGNAL = 40;

/** How the restarts went: the number of responses, the requests that failed, and the servers that did not end with exit code 0. */
export interface Restarts {
  readonly requests: number;
  readonly faults: readonly string[];
}

/**
 * Starts a server, puts load on it and abuse that lasts, which must not hold up its end, and ends it by SIGTERM, again and again. Every
 * client sends until a response says that it is the last, so each request must be answered. From the second round on, the server takes
 * the port of the one before.
 */
export async function restartUnderLoad(rounds: number, store?: string): Promise<Restarts> {
  const faults: string[] = [];
  let requests = 0;
  let port = 0;
  for (let round = 1; round <= rounds; round++) {
    const server = await startServer(store, port);
    ({ port } = server);
    const connections = await Promise.all(Array.from({ length: CLIENTS }, async () => RawConnection.open(port)));
    const load = new Load(connections.map((connection) => lastingClient(connection, () => void requests++)));
    const abuses = Object.values(ABUSES).filter(({ lasts }) => lasts);
    const abuse = Promise.all(abuses.map(async ({ attempt }) => attempt(port)));
    await load.next('answered', ANSWERS_BEFORE_THE_SIGNAL).catch((error: unknown) => faults.push(String(error)));
    const exit = await server.stop();
    await abuse;
    const { unexpected } = await load.ended();
    faults.push(...unexpected.map((fault) => `round ${round}: ${String(fault)}`));
    if (exit.code !== 0) faults.push(`round ${round}: the server ended with ${exit.signal ?? exit.code}`);
  }
  return { requests, faults };
}
