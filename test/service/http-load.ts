import { setTimeout } from 'node:timers/promises';
import type { ReceivedResponse } from '../support/received-response.js';
import type { Listening } from '../support/command.js';
import { Load, type LoadClient } from '../support/load.js';
import { RawConnection } from '../support/raw-connection.js';
import { requestBytes } from '../support/request.js';

/** A load on a service. */
export interface HttpLoad {
  readonly load: Load;
  /** The ids of the animals whose creation was answered 201 so far. */
  readonly created: readonly string[];
}

/**
 * Starts clients that create, get and list animals, each with one of these keys, on a connection of its own until an
 * answer says that it is the last. Only a success counts as answered, and only a complete 503 as unavailable.
 *
 * @param pauses How long each client pauses between an answer and its next request, in milliseconds. @default 0
 */
export function startHttpLoad(
  { port }: Listening,
  keys: readonly string[],
  clients = 6,
  pauses: readonly number[] = [],
): HttpLoad {
  const created: string[] = [];
  const keyOf = (client: number): string => keys[client % keys.length] ?? '';
  const all = Array.from({ length: clients }, (_, client) =>
    clientOf(port, keyOf(client), pauses[client] ?? 0, created),
  );
  return { created, load: new Load(all) };
}

async function* clientOf(port: number, key: string, pause: number, created: string[]): LoadClient {
  const requests = [
    () => requestBytes('POST', '/v1/pets', { key, body: '{"name":"Rex","categoryId":7,"status":"sold"}' }),
    () => requestBytes('GET', `/v1/pets/${created.at(-1) ?? 1}`, { key }),
    () => requestBytes('GET', '/v1/pets?limit=5&status=sold', { key }),
  ];
  using connection = await RawConnection.open(port);
  for (;;) {
    for (const request of requests) {
      const response = await connection.ask(request());
      if (response.status === 201) created.push((/"id":(\d+)/.exec(response.text) ?? [])[1] ?? 'none');
      yield resultOf(response);
      if (response.isLast) return;
      if (pause > 0) await setTimeout(pause);
    }
  }
}

function resultOf(response: ReceivedResponse): unknown {
  if (response.status === 200 || response.status === 201) return 'answered';
  return isUnavailable(response) ? 'unavailable' : `${response.status} ${response.text}`;
}

/** Whether an answer is a 503 with everything that belongs to it. */
export function isUnavailable(response: ReceivedResponse): boolean {
  if (response.status !== 503 || !/^\d+$/.test(response.header('Retry-After') ?? '')) return false;
  const { message, ...rest } = response.json as Record<string, unknown>;
  return (
    JSON.stringify(rest) === '{"code":"store_unavailable","status":503}' &&
    typeof message === 'string' &&
    !/mongo|127\.0\.0\.1|localhost/i.test(message)
  );
}
