/**
 * Has clients of a proxy ask for the largest list and read nothing, and prints, as JSON, how many connections the server behind it
 * cut because too much waited for clients, and the status that a client got which reads: `unread-answers.ts PROGRAM CLIENTS
 * FOLDER`. To be run in a network of its own with the MTU of an Ethernet. Writes into the folder.
 */
import { writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { LARGEST_PET } from '../support/largest-pet.js';
import { request, requestBytes } from '../support/request.js';
import { startCommand, type RunningCommand } from '../support/command.js';
import { KEY, NAME, PROXIES, RunningProxy } from './proxies.js';

const LARGEST_LIST = '/v1/pets?limit=100';
/** What the server logs of a connection that it cuts. */
const UNSENT = /"limit":"unsent"/g;
/** What it logs of a request for animals when it has answered it, or has cut the connection. */
const ANSWERED = /"route":"\/v1\/pets".*"durationMs"/g;
/**
 * The least, default and greatest size of a socket's buffer, in bytes, in this network. By default, the kernel takes a whole list
 * between the server, a proxy and a client, and nothing would wait in any of them.
 */
const BUFFERS = '4096 16384 65536';
/** How many clients send requests concurrently. */
const AT_ONCE = 10;

function shrinkBuffers(): void {
  for (const name of ['tcp_rmem', 'tcp_wmem']) writeFileSync(`/proc/sys/net/ipv4/${name}`, BUFFERS);
}

/** How many lines of this kind a server has logged. */
function countOf({ stderr }: RunningCommand, line: RegExp): number {
  return stderr.match(line)?.length ?? 0;
}

async function holdUnread([program, clients, folder = '']: readonly string[]): Promise<object> {
  const server = await startCommand(['--log-level', 'debug'], { API_KEYS: `anna:${KEY}` });
  for (let i = 0; i < 100; i++) await request(server.port, 'POST', '/v1/pets', { key: KEY, body: LARGEST_PET });
  const proxy = PROXIES.find((each) => each.program === program);
  if (proxy === undefined) throw new Error(`there is no proxy ${program}`);
  const running = await RunningProxy.start(proxy, server.port, folder);
  await running.ask('GET', LARGEST_LIST);

  const asked = requestBytes('GET', LARGEST_LIST, { key: KEY, host: NAME });
  const connections: Socket[] = [];
  while (connections.length < Number(clients)) {
    connections.push(
      ...(await Promise.all(
        Array.from({ length: AT_ONCE }, async (_, i) => running.sendUnread(asked, `127.0.0.${2 + (i % 2)}`)),
      )),
    );
    // The server has answered these before the next ones ask, so that only a few answers are under way to the proxy.
    const count = 100 + 1 + connections.length;
    await server.find(() => countOf(server, ANSWERED) >= count || undefined);
  }
  const { status } = await running.ask('GET', '/v1/pets?limit=1');
  for (const connection of connections) connection.destroy();
  await server.stop();
  return { cut: countOf(server, UNSENT), status };
}

shrinkBuffers();
console.log(JSON.stringify(await holdUnread(process.argv.slice(2))));
process.exit();
