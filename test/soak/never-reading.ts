/**
 * Holds connections that send requests ahead and read nothing, in a network with the MTU of an Ethernet:
 *
 *     never-reading.ts CONNECTIONS               so many for each kind of response, and so many with a body that never ends
 *     never-reading.ts CONNECTIONS REQUESTS KB   so many that pipeline so many lists of so many kB
 *
 * Prints the most memory that the server took, and the longest time in which another client got its response. Ends with exit code 1, and a
 * line for each fault, if the server exceeds the bound of docs/security.md, fails the other client, or keeps descriptors.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { DEFAULT_BODY_LIMIT, UNSENT_MAX_BYTES } from '../../src/adapters/http/pipeline/limits.js';
import { NAME_MAX_LENGTH } from '../../src/domain/pet.js';
import { BUNDLE_PATH } from '../support/reference-files.js';
import { request, requestBytes } from '../support/request.js';
import { until } from '../support/until.js';
import { descriptorsOf, KEY, peakMemoryOf, startServer } from './soaked-server.js';

const MIB = 2 ** 20;
/** The most that the server may take besides, as in docs/security.md: requests that wait, garbage. */
const ALLOWED_BESIDES = 128 * MIB;
/** The most that a connection may take whose body is arriving, as in docs/security.md. */
const ALLOWED_BY_CONNECTION = DEFAULT_BODY_LIMIT + 11 * 1024;
/** How many connections are opened at once. */
const AT_ONCE = 20;
/** How long the connections are held once all are open, in milliseconds. */
const HOLD_MS = 5000;
/** The largest list, in kB: its names have only characters that take six bytes. */
const LARGEST = 624;
/** The bytes of an animal in a list beside its name, at most. */
const BESIDE_NAME = 60;

const [connections = 0, requests = 2, kilobytes = LARGEST] = process.argv.slice(2).map(Number);
const isPipelined = process.argv.length > 3;
const LIST = requestBytes('GET', '/v1/pets?limit=100', { key: KEY });
const UNENDING = requestBytes('POST', '/v1/pets', { key: KEY, body: ' '.repeat(DEFAULT_BODY_LIMIT) }).subarray(0, -1);
const OTHERS = [
  requestBytes('GET', BUNDLE_PATH),
  requestBytes('GET', '/openapi.json'),
  requestBytes('GET', '/docs'),
  requestBytes('GET', '/v1/pets'),
  requestBytes('POST', '/v1/pets', { key: KEY, body: Buffer.alloc(70_000, ' ') }),
  Buffer.from('hello\r\n\r\n'),
];
const ahead = (bytes: Buffer): Buffer => Buffer.concat(Array<Buffer>(requests).fill(bytes));

const server = await startServer('memory');
const ask = async (method: string, target: string, body = ''): Promise<number> =>
  (await request(server.port, method, target, body === '' ? { key: KEY } : { key: KEY, body })).status;
const length = Math.min(NAME_MAX_LENGTH, Math.ceil((kilobytes * 10 - BESIDE_NAME) / 6));
const pet = JSON.stringify({ name: `${'\u0001'.repeat(length - 1)}x`, categoryId: 1 });
for (let i = 0; i < 100; i++) await ask('POST', '/v1/pets', pet);
for (const target of ['/v1/pets?limit=100', '/openapi.json', BUNDLE_PATH]) await ask('GET', target);
const [peakBefore, descriptorsBefore] = [peakMemoryOf(server.pid), descriptorsOf(server)];

const faults: string[] = [];
let slowestMs = 0;
let isOver = false;
async function readOn(): Promise<void> {
  while (!isOver) {
    const start = performance.now();
    const status = await ask('GET', '/v1/pets?limit=1').catch(String);
    if (status !== 200) faults.push(`a client that reads was failed: ${status}`);
    slowestMs = Math.max(slowestMs, performance.now() - start);
    await setTimeout(50);
  }
}
const reading = readOn();

const kinds = isPipelined ? [ahead(LIST)] : [LIST, ...OTHERS].map(ahead).concat(UNENDING);
const sockets: Socket[] = [];
for (const [i, bytes] of kinds.flatMap((kind) => Array<Buffer>(connections).fill(kind)).entries()) {
  const socket = connect(server.port, '127.0.0.1').pause();
  // The server cuts those that hold most.
  socket.on('error', () => socket.destroy());
  sockets.push(socket);
  socket.write(bytes);
  if (i % AT_ONCE === 0) await once(socket, 'connect');
}
await setTimeout(HOLD_MS);
isOver = true;
await reading;

const peak = peakMemoryOf(server.pid);
const allowed = UNSENT_MAX_BYTES + ALLOWED_BESIDES + connections * ALLOWED_BY_CONNECTION;
if (peak - peakBefore > allowed)
  faults.push(`clients that never read took ${peak - peakBefore} bytes, more than ${allowed}`);
for (const socket of sockets) socket.destroy();
await Promise.race([until(() => descriptorsOf(server) <= descriptorsBefore), setTimeout(20_000)]);
const left = descriptorsOf(server) - descriptorsBefore;
if (left > 0) faults.push(`${left} descriptors stayed open`);
await server.stop();

const mebibytes = (bytes: number): string => `${(bytes / MIB).toFixed(0)} MiB`;
console.log(
  `${sockets.length} connections: ${mebibytes(peak)}, ${mebibytes(peak - peakBefore)} more than before; another client waited ${slowestMs.toFixed(0)} ms at most`,
);
for (const fault of faults) console.log(`✖ ${fault}`);
process.exit(faults.length === 0 ? 0 : 1);
