/**
 * Holds connections that ask for answers of every kind and read none of them, and bodies that never end, and tells how much memory the server takes:
 * `never-reading.ts CLIENTS [FLAGS OF SERVE]`, with so many clients of each kind. To be run in a network with the MTU of an
 * Ethernet. Ends with exit code 1, and a line for each fault, if the server takes more than is allowed, fails a client that
 * reads, or keeps something when the clients have gone.
 */
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { DEFAULT_BODY_LIMIT, UNSENT_MAX_BYTES } from '../../src/adapters/http/pipeline/limits.js';
import { LARGEST_PET } from '../support/largest-pet.js';
import { Load } from '../support/load.js';
import { peakMemoryOf } from '../support/peak-memory.js';
import { RawConnection } from '../support/raw-connection.js';
import { BUNDLE_PATH, ICON_PATH, STYLES_PATH } from '../support/reference-files.js';
import { request, requestBytes, type RequestOptions } from '../support/request.js';
import { until } from '../support/until.js';
import { steadyClient } from './load-clients.js';
import { descriptorsOf, KEY, startServer } from './soaked-server.js';

const MIB = 2 ** 20;
/** The most that the server may take besides, as in docs/security.md: requests that wait, connections, garbage. */
const ALLOWED_BESIDES = 128 * MIB;
/** The most that a connection may take whose body is arriving, as in docs/security.md. */
const ALLOWED_BY_BODY = DEFAULT_BODY_LIMIT + 11 * 1024;
/** How many requests each client sends ahead. The kernel takes the first answers. */
const PIPELINED = 8;
/** How many connections are opened before a pause, so that none has to wait to be accepted. */
const AT_ONCE = 20;
/** How long the connections are held once the server has taken on all of them, in milliseconds. */
const HOLD_MS = 3000;

const asked = (method: string, target: string, options: RequestOptions = {}): Buffer =>
  requestBytes(method, target, { key: KEY, ...options });

/** A body that is as large as it may be, and never ends. */
const UNENDING = asked('POST', '/v1/pets', { body: Buffer.alloc(DEFAULT_BODY_LIMIT, ' ') }).subarray(0, -1);

/** A request for each kind of answer. */
const REQUESTS: Readonly<Record<string, Buffer>> = {
  'the largest list': asked('GET', '/v1/pets?limit=100'),
  'an animal': asked('GET', '/v1/pets/1'),
  'a creation': asked('POST', '/v1/pets', { body: LARGEST_PET }),
  'a 400': asked('GET', '/v1/pets?limit=0'),
  'a 401': requestBytes('GET', '/v1/pets'),
  'a 404': asked('GET', '/v1/nowhere'),
  'a 405': asked('DELETE', '/v1/pets'),
  'a 413': asked('POST', '/v1/pets', { body: Buffer.alloc(70_000, ' ') }),
  'a 415': asked('POST', '/v1/pets', { body: '{}', contentType: 'text/plain' }),
  'the OpenAPI document': requestBytes('GET', '/openapi.json'),
  'a redirect': requestBytes('GET', '/'),
  'the reference page': requestBytes('GET', '/docs'),
  'the script of the page': requestBytes('GET', BUNDLE_PATH),
  'the styles of the page': requestBytes('GET', STYLES_PATH),
  'the icon of the page': requestBytes('GET', ICON_PATH),
  'the script by HEAD': requestBytes('HEAD', BUNDLE_PATH),
  liveness: requestBytes('GET', '/livez'),
  readiness: requestBytes('GET', '/readyz'),
  'bytes that are not HTTP': Buffer.from('hello\r\n\r\n'),
};

/**
 * How many sockets the kernel of this network keeps although no process has them, because their clients do not read. Those of
 * requests that were refused with an answer are among them for a while.
 */
function orphans(): number {
  return Number(/^TCP:.* orphan (\d+)/m.exec(readFileSync('/proc/net/sockstat', 'utf8'))?.[1]);
}

const mebibytes = (bytes: number): string => `${(bytes / MIB).toFixed(0)} MiB`;

async function holdUnread(clients: number, flags: readonly string[]): Promise<string[]> {
  const server = await startServer({ store: 'memory', flags });
  const { port } = server;
  for (let i = 0; i < 100; i++) await request(port, 'POST', '/v1/pets', { key: KEY, body: LARGEST_PET });
  for (const bytes of Object.values(REQUESTS)) {
    using connection = await RawConnection.open(port);
    connection.send(bytes);
    await connection.receive({ head: bytes.includes('HEAD ') });
  }
  const [peakBefore, descriptorsBefore] = [peakMemoryOf(server.pid), descriptorsOf(server)];
  const allowed = UNSENT_MAX_BYTES + ALLOWED_BESIDES + clients * ALLOWED_BY_BODY;
  const grown = (): number => peakMemoryOf(server.pid) - peakBefore;

  const reader = new Load([steadyClient(port, () => undefined)]);
  const connections: RawConnection[] = [];
  const pipelined = Object.entries(REQUESTS).map(([kind, bytes]) => [
    kind,
    Buffer.concat(Array<Buffer>(PIPELINED).fill(bytes)),
  ]);
  for (const [kind, bytes] of [...pipelined, ['a body that never ends', UNENDING]] as [string, Buffer][]) {
    for (let i = 1; i <= clients; i++) {
      const connection = await RawConnection.open(port);
      connection.stopReading();
      connection.send(bytes);
      connections.push(connection);
      if (i % AT_ONCE === 0) await reader.next('answered', 1);
    }
    await reader.next('answered', 20);
    console.log(`${mebibytes(peakMemoryOf(server.pid)).padStart(8)} at the most with ${clients} × ${kind}`);
    if (grown() > allowed) break;
  }
  if (grown() <= allowed) await setTimeout(HOLD_MS);
  const growth = grown();
  const orphaned = orphans();
  const { unexpected } = await reader.end();

  for (const connection of connections) connection.destroy();
  await Promise.race([until(() => descriptorsOf(server) <= descriptorsBefore), setTimeout(10_000)]);
  const left = descriptorsOf(server) - descriptorsBefore;
  await server.stop();

  console.log(`the server took ${mebibytes(growth)} more than before, of ${mebibytes(allowed)} that it may take`);
  return [
    ...(growth > allowed ? [`clients that never read took ${mebibytes(growth)} of memory`] : []),
    ...(orphaned > clients ? [`the kernel keeps ${orphaned} sockets that the server has cut`] : []),
    ...unexpected.map((fault) => `a client that reads was failed: ${String(fault)}`),
    ...(left > 0 ? [`${left} descriptors stayed open`] : []),
  ];
}

const [clients = '', ...flags] = process.argv.slice(2);
const faults = await holdUnread(Number(clients), flags);
for (const fault of faults) console.log(`✖ ${fault}`);
process.exit(faults.length === 0 ? 0 : 1);
