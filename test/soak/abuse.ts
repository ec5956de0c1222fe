import { setTimeout } from 'node:timers/promises';
import { RawConnection } from '../support/raw-connection.js';
import { requestBytes } from '../support/request.js';
import type { LoadClient } from '../support/load.js';
import { KEY } from './soaked-server.js';

/** How long an abuser that waits for nothing keeps its connection, in milliseconds. */
const HOLD_MS = 3000;
/** The time between two bytes of an abuser that is slow, in milliseconds. */
const DRIP_MS = 200;
/** The time between two attempts of one abuser, in milliseconds. */
const PAUSE_MS = 50;

const LIST = requestBytes('GET', '/v1/pets?limit=100', { key: KEY });
const HEADER_OVER_THE_LIMIT: [string, string] = ['X-Large', 'x'.repeat(20_000)];

/** One attempt on a server. Resolves to what is wrong with the server's reaction, or to `undefined` if nothing is. */
type Attempt = (port: number) => Promise<string | undefined>;

interface Abuse {
  readonly attempt: Attempt;
  /** How many clients do it concurrently. */
  readonly clients: number;
  /** Whether an attempt goes on until the server ends it. @default false */
  readonly lasts?: true;
}

/** Every kind of abuse. */
export const ABUSES: Readonly<Record<string, Abuse>> = {
  'connections that send nothing': { clients: 10, lasts: true, attempt: hold('') },
  'half a request line': { clients: 10, lasts: true, attempt: hold('GET /v1/pe') },
  'headers that never end': {
    lasts: true,
    clients: 5,
    attempt: drip('GET /livez HTTP/1.1\r\nHost: a\r\n', 'X-A: b\r\n'),
  },
  'bodies that drip in': {
    lasts: true,
    clients: 10,
    attempt: drip(
      `POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\nContent-Length: 10000\r\n\r\n`,
      ' ',
    ),
  },
  'bodies that drip in after their 401': {
    lasts: true,
    clients: 5,
    attempt: drip('POST /v1/pets HTTP/1.1\r\nHost: a\r\nContent-Length: 10000\r\n\r\n', ' '),
  },
  'requests that are not HTTP': {
    clients: 2,
    attempt: refused(Buffer.from('\x16\x03\x01 hello\r\n\r\n', 'latin1'), [400]),
  },
  'targets that cannot be parsed': {
    clients: 2,
    attempt: refused(requestBytes('GET', 'foo://[', { key: KEY }), [400, 404]),
  },
  'header sections over the limit': {
    clients: 2,
    attempt: refused(requestBytes('GET', '/v1/pets', { key: KEY, headers: [HEADER_OVER_THE_LIMIT] }), [431]),
  },
  'bodies over the limit': {
    clients: 2,
    attempt: refused(requestBytes('POST', '/v1/pets', { key: KEY, body: `{"name":"${'x'.repeat(100_000)}"}` }), [413]),
  },
  'wrong keys': { clients: 2, attempt: wrongKey },
  'requests to become a proxy': {
    clients: 1,
    attempt: refused(Buffer.from('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'), [400]),
  },
  'pipelines that are not read': { clients: 5, attempt: unread },
  'resets within answers': { clients: 3, attempt: reset },
};

/** Makes attempts of one kind, one after another. */
export async function* abuser(port: number, attempt: Attempt, count: () => void): LoadClient & AsyncGenerator {
  for (;;) {
    const fault = await attempt(port);
    count();
    yield fault ?? 'answered';
    await setTimeout(PAUSE_MS);
  }
}

/** Sends some bytes and waits, then goes away if the server has not. */
function hold(bytes: string): Attempt {
  return async (port) => {
    using connection = await RawConnection.open(port);
    if (bytes !== '') connection.send(bytes);
    await Promise.race([connection.closed, setTimeout(HOLD_MS)]);
    return undefined;
  };
}

/** Sends some bytes, then more of them one small piece after another, then goes away if the server has not. */
function drip(start: string, more: string): Attempt {
  return async (port) => {
    using connection = await RawConnection.open(port);
    connection.send(start);
    for (let sent = 0; sent < HOLD_MS; sent += DRIP_MS) {
      connection.send(more);
      await Promise.race([connection.closed, setTimeout(DRIP_MS)]);
    }
    return undefined;
  };
}

/** Sends a request that must be refused with one of these statuses. */
function refused(request: Buffer, statuses: readonly number[]): Attempt {
  return async (port) => {
    using connection = await RawConnection.open(port);
    const { status, text } = await connection.ask(request);
    return statuses.includes(status) ? undefined : `${status} ${text}`;
  };
}

/** Sends a key that nobody has sent before. */
async function wrongKey(port: number): Promise<string | undefined> {
  return refused(requestBytes('GET', '/v1/pets', { key: `wrong-${Math.random()}` }), [401])(port);
}

/** Sends more requests than the kernel's buffers hold answers for, and reads nothing. */
async function unread(port: number): Promise<undefined> {
  using connection = await RawConnection.open(port);
  connection.stopReading();
  connection.send(listsInARow(200));
  await setTimeout(HOLD_MS);
  return undefined;
}

/** Sends requests, and resets the connection as soon as the first answer has come. */
async function reset(port: number): Promise<undefined> {
  using connection = await RawConnection.open(port);
  await connection.ask(listsInARow(20));
  connection.reset();
  return undefined;
}

function listsInARow(count: number): Buffer {
  return Buffer.concat(Array.from({ length: count }, () => LIST));
}
