import { setTimeout } from 'node:timers/promises';
import { RawConnection } from '../support/raw-connection.js';
import { requestBytes } from '../support/request.js';
import { KEY } from './soaked-server.js';

/** How long an abuser that waits for nothing keeps its connection, in milliseconds. */
const HOLD_MS = 3000;
/** The time between two bytes of an abuser that is slow, in milliseconds. */
const DRIP_MS = 200;
/** The time between two attempts of one abuser, in milliseconds. */
const PAUSE_MS = 50;

const POST = 'POST /v1/pets HTTP/1.1\r\nHost: a\r\nContent-Length: 10000\r\n';
const AUTHORIZED = `${POST}Authorization: Bearer ${KEY}\r\nContent-Type: application/json\r\n\r\n`;
const LISTS = Buffer.concat(Array<Buffer>(200).fill(requestBytes('GET', '/v1/pets?limit=100', { key: KEY })));
const LARGE_HEADER = { key: KEY, headers: [['X-Large', 'x'.repeat(20_000)]] } as const;
const LARGE_BODY = { key: KEY, body: 'x'.repeat(100_000) };

/** One attempt on a server. Resolves to what is wrong with the server's reaction, or to `undefined` if nothing is. */
type Attempt = (port: number) => Promise<string | undefined>;

interface Abuse {
  readonly attempt: Attempt;
  /** How many clients do it concurrently. */
  readonly clients: number;
  /** Whether an attempt goes on until the server ends it. */
  readonly lasts: boolean;
}

const lasting = (clients: number, attempt: Attempt): Abuse => ({ clients, attempt, lasts: true });
const brief = (clients: number, attempt: Attempt): Abuse => ({ clients, attempt, lasts: false });

/** Every kind of abuse. */
export const ABUSES: Readonly<Record<string, Abuse>> = {
  'connections that send nothing': lasting(10, drip('')),
  'half a request line': lasting(10, drip('GET /v1/pe')),
  'headers that never end': lasting(5, drip('GET /livez HTTP/1.1\r\nHost: a\r\n', 'X-A: b\r\n')),
  'bodies that drip in': lasting(10, drip(AUTHORIZED, ' ')),
  'bodies that drip in after their 401': lasting(5, drip(`${POST}\r\n`, ' ')),
  'requests that are not HTTP': brief(2, refused('\x16\x03\x01 hello\r\n\r\n', 400)),
  'targets that cannot be parsed': brief(2, refused(requestBytes('GET', 'foo://[', { key: KEY }), 400)),
  'header sections over the limit': brief(2, refused(requestBytes('GET', '/v1/pets', LARGE_HEADER), 431)),
  'bodies over the limit': brief(2, refused(requestBytes('POST', '/v1/pets', LARGE_BODY), 413)),
  'keys that nobody has': brief(2, async (port) =>
    refused(requestBytes('GET', '/v1/pets', { key: `wrong-${Math.random()}` }), 401)(port),
  ),
  'requests to become a proxy': brief(1, refused('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 400)),
  'pipelines that are not read': brief(5, unread),
  'resets within answers': brief(3, reset),
};

/** Makes attempts of one kind, one after another. */
export async function* abuser(port: number, attempt: Attempt, count: () => void): AsyncGenerator<string> {
  for (;;) {
    const fault = await attempt(port);
    count();
    yield fault ?? 'answered';
    await setTimeout(PAUSE_MS);
  }
}

/** Sends some bytes, then more of them one small piece after another, then goes away if the server has not. */
function drip(start: string, more = ''): Attempt {
  return async (port) => {
    using connection = await RawConnection.open(port);
    connection.send(start);
    for (let sent = 0; sent < HOLD_MS; sent += DRIP_MS) {
      if (more !== '') connection.send(more);
      await Promise.race([connection.closed, setTimeout(DRIP_MS)]);
    }
    return undefined;
  };
}

/** Sends a request that must be refused with this status. */
function refused(request: string | Buffer, expected: number): Attempt {
  return async (port) => {
    using connection = await RawConnection.open(port);
    const { status, text } = await connection.ask(request);
    return status === expected ? undefined : `${status} ${text}`;
  };
}

/** Sends more requests than the kernel's buffers hold answers for, and reads nothing. */
async function unread(port: number): Promise<undefined> {
  using connection = await RawConnection.open(port);
  connection.stopReading();
  connection.send(LISTS);
  await setTimeout(HOLD_MS);
}

/** Sends requests, and resets the connection as soon as the first response has come. */
async function reset(port: number): Promise<undefined> {
  using connection = await RawConnection.open(port);
  await connection.ask(LISTS);
  connection.reset();
}
