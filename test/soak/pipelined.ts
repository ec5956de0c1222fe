/**
 * Holds connections that pipeline lists and read nothing: `pipelined.ts CONNECTIONS REQUESTS KB`, with so many requests on each, for
 * lists of so many kB. Prints the most memory that the server took, and the longest time in which another client got its answer.
 * To be run in a network with the MTU of an Ethernet:
 *
 *     unshare -rn sh -c 'ip link set lo up mtu 1500 && exec "$@"' sh node --import tsx test/soak/pipelined.ts 2000 20 624
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { NAME_MAX_LENGTH } from '../../src/domain/pet.js';
import { peakMemoryOf } from '../support/peak-memory.js';
import { request, requestBytes } from '../support/request.js';
import { KEY, startServer } from './soaked-server.js';

/** How many connections are opened at once. */
const AT_ONCE = 20;
/** How long the connections are held once all are open, in milliseconds. */
const HOLD_MS = 10_000;
/** The bytes of an animal in a list beside its name, at most. */
const BESIDE_NAME = 60;

const [connections = 0, requests = 0, kilobytes = 0] = process.argv.slice(2).map(Number);
const server = await startServer({ store: 'memory' });
const ask = async (target: string, body?: string): Promise<number> =>
  (
    await request(
      server.port,
      body === undefined ? 'GET' : 'POST',
      target,
      body === undefined ? { key: KEY } : { key: KEY, body },
    )
  ).body.length;

// A control character takes six bytes in an answer.
const name = `${'\u0001'.repeat(Math.min(NAME_MAX_LENGTH, Math.ceil((kilobytes * 10 - BESIDE_NAME) / 6)) - 1)}x`;
for (let i = 0; i < 100; i++) await ask('/v1/pets', JSON.stringify({ name, categoryId: 1 }));
const size = await ask('/v1/pets?limit=100');

let slowestMs = 0;
let isOver = false;
const client = (async () => {
  while (!isOver) {
    const start = performance.now();
    await ask('/v1/pets?limit=1');
    slowestMs = Math.max(slowestMs, performance.now() - start);
    await setTimeout(50);
  }
})();

const bytes = Buffer.concat(Array<Buffer>(requests).fill(requestBytes('GET', '/v1/pets?limit=100', { key: KEY })));
const sockets = [];
for (let i = 1; i <= connections; i++) {
  const socket = connect(server.port, '127.0.0.1').pause();
  socket.on('error', () => undefined);
  sockets.push(socket);
  const connected = once(socket, 'connect');
  socket.write(bytes);
  if (i % AT_ONCE === 0) await connected;
}
await setTimeout(HOLD_MS);
isOver = true;
await client;
const peak = (peakMemoryOf(server.pid) / 2 ** 20).toFixed(0);
console.log(
  `${connections} × ${requests} lists of ${size} bytes: ${peak} MiB, another client waited ${slowestMs.toFixed(0)} ms at most`,
);
for (const socket of sockets) socket.destroy();
await server.stop();
process.exit();
