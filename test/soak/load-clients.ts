import { requestBytes } from '../support/request.js';
import { RawConnection } from '../support/raw-connection.js';
import { KEY } from './soaked-server.js';

/** After how many requests a client opens a new connection. */
const REQUESTS_PER_CONNECTION = 500;

const LONG_NAME = '😀'.repeat(1024);
const asked = (target: string): Buffer => requestBytes('GET', target, { key: KEY });
const sent = (body: string): Buffer => requestBytes('POST', '/v1/pets', { key: KEY, body });

/** The requests of the mixed load, and the statuses that may answer them. */
const REQUESTS: readonly (readonly [request: Buffer, ...statuses: number[]])[] = [
  [asked('/v1/pets?limit=20'), 200],
  [sent('{"name":"Rex","categoryId":7,"status":"sold"}'), 201],
  // Less than clients ask for that never read: beyond 64 MiB, the connection that holds most is cut.
  [asked('/v1/pets?limit=90&status=sold'), 200],
  [asked('/v1/pets/1'), 200, 404],
  [sent(`{"name":"${LONG_NAME}","categoryId":1}`), 201],
  [asked('/v1/pets?limit=5&after=100'), 200],
  [sent('{"name":"","categoryId":7.5}'), 400],
  [asked('/v1/pets?limit=0'), 400],
  [asked('/docs'), 200],
  [asked('/openapi.json'), 200],
  // Once it shuts down, it is no longer ready, and each response is the last of its connection.
  [asked('/readyz'), 200, 503],
];

/** Sends the mixed load on a connection, until a response says that it is the last, or for so many requests. */
export async function* lastingClient(
  connection: RawConnection,
  count: () => void,
  requests = Infinity,
): AsyncGenerator<string> {
  for (let i = 0; i < requests; i++) {
    const [request, ...statuses] = REQUESTS[i % REQUESTS.length] as (typeof REQUESTS)[number];
    const { status, text, isLast } = await connection.ask(request);
    count();
    const isExpected = statuses.includes(status) && (status !== 503 || isLast);
    yield isExpected ? 'answered' : `${status} ${text}`;
    if (isLast) return;
  }
}

/** Sends the mixed load, on one connection after another, until it is told to stop. */
export async function* steadyClient(port: number, count: () => void): AsyncGenerator<string> {
  for (;;) {
    using connection = await RawConnection.open(port);
    yield* lastingClient(connection, count, REQUESTS_PER_CONNECTION);
  }
}
