import { requestBytes } from '../support/request.js';
import { RawConnection } from '../support/raw-connection.js';
import type { LoadClient } from '../support/load.js';
import { KEY } from './soaked-server.js';

/** After how many requests a client opens a new connection. */
const REQUESTS_PER_CONNECTION = 500;

const LONG_NAME = '😀'.repeat(1024);

/** A request, and the statuses that may answer it. */
type Exchange = readonly [request: Buffer, statuses: readonly number[]];

const REQUESTS: readonly Exchange[] = [
  [requestBytes('GET', '/v1/pets?limit=20', { key: KEY }), [200]],
  [requestBytes('POST', '/v1/pets', { key: KEY, body: '{"name":"Rex","categoryId":7,"status":"sold"}' }), [201]],
  [requestBytes('GET', '/v1/pets?limit=100&status=sold', { key: KEY }), [200]],
  [requestBytes('GET', '/v1/pets/1', { key: KEY }), [200, 404]],
  [requestBytes('POST', '/v1/pets', { key: KEY, body: `{"name":"${LONG_NAME}","categoryId":1}` }), [201]],
  [requestBytes('GET', '/v1/pets?limit=5&after=100', { key: KEY }), [200]],
  [requestBytes('POST', '/v1/pets', { key: KEY, body: '{"name":"","categoryId":7.5}', chunked: true }), [400]],
  [requestBytes('GET', '/v1/pets?limit=0', { key: KEY }), [400]],
  [requestBytes('GET', '/docs'), [200]],
  [requestBytes('GET', '/openapi.json'), [200]],
  [requestBytes('GET', '/readyz'), [200]],
];

/** The same while the server may be shutting down, when it is no longer ready. */
const REQUESTS_AT_THE_END = REQUESTS.filter(([request]) => !request.includes('/readyz'));

/** Sends the mixed load, on one connection after another, until it is told to stop. */
export async function* steadyClient(port: number, count: () => void): LoadClient & AsyncGenerator {
  for (;;) {
    using connection = await RawConnection.open(port);
    for (let i = 0; i < REQUESTS_PER_CONNECTION; i++) {
      const [request, statuses] = REQUESTS[i % REQUESTS.length] as Exchange;
      const { status, text } = await connection.ask(request);
      count();
      yield statuses.includes(status) ? 'answered' : `${status} ${text}`;
    }
  }
}

/** Sends the mixed load on one connection, until an answer says that it is the last. */
export async function* lastingClient(connection: RawConnection, count: () => void): LoadClient & AsyncGenerator {
  for (let i = 0; ; i++) {
    const [request, statuses] = REQUESTS_AT_THE_END[i % REQUESTS_AT_THE_END.length] as Exchange;
    const { status, text, isLast } = await connection.ask(request);
    count();
    yield statuses.includes(status) ? 'answered' : `${status} ${text}`;
    if (isLast) return;
  }
}
