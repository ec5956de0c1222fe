import { RawConnection, requestText, type RawAnswer } from '../bootstrap/raw-connection.js';
import type { Listening } from '../support/command.js';
import { Counts } from '../support/counts.js';

/** What came of a load. */
export interface HttpLoadReport {
  /** The ids of the animals whose creation was answered 201. */
  readonly created: readonly string[];
  /** Every answer that was neither a success nor a 503 as it has to be, and every connection that failed. */
  readonly unexpected: readonly string[];
  readonly unavailable: number;
  /** The longest that any answer took, in milliseconds. */
  readonly slowestMs: number;
}

/** A load on a service: a few connections that create, get and list without a pause. */
export interface HttpLoad {
  /** Resolves once so many more requests have been served; `unavailable`: answered 503. */
  next(what: 'served' | 'unavailable', count: number): Promise<void>;
  /** Resolves once the requests under way are answered, or their connections have failed. */
  end(): Promise<HttpLoadReport>;
}

/** Starts a load whose connections use these keys in turn, until it is ended or a connection of it is. */
export function startHttpLoad({ port }: Listening, keys: readonly string[], connections = 6): HttpLoad {
  const created: string[] = [];
  const unexpected: string[] = [];
  const counts = new Counts<'served' | 'unavailable'>();
  let slowestMs = 0;
  let ended = false;

  const note = (answer: RawAnswer): void => {
    if (answer.status === 200 || answer.status === 201) counts.add('served');
    else if (isUnavailable(answer)) counts.add('unavailable');
    else unexpected.push(`${answer.head}\n${answer.body}`);
    if (answer.status === 201) created.push((/"id":(\d+)/.exec(answer.body) ?? [])[1] ?? 'none');
  };

  const work = async (key: string): Promise<void> => {
    const connection = await RawConnection.open(port);
    const requests = [
      () => requestText('POST', '/v1/pets', key, '{"name":"Rex","categoryId":7,"status":"sold"}'),
      () => requestText('GET', `/v1/pets/${created.at(-1) ?? 1}`, key),
      () => requestText('GET', '/v1/pets?limit=5&status=sold', key),
    ];
    try {
      for (let i = 0, last = false; !last && !ended; i++) {
        const start = performance.now();
        const answer = await connection.ask(requests[i % requests.length]?.() ?? '');
        slowestMs = Math.max(slowestMs, performance.now() - start);
        last = answer.last;
        note(answer);
      }
    } catch (error) {
      unexpected.push(String(error));
    }
    connection.destroy();
  };

  const all = Promise.all(Array.from({ length: connections }, async (_, i) => work(keys[i % keys.length] ?? '')));
  return {
    next: async (what, count) => counts.next(what, count),
    async end() {
      ended = true;
      await all;
      return { created, unexpected, unavailable: counts.of('unavailable'), slowestMs };
    },
  };
}

/** Whether an answer is a 503 with all that belongs to it. */
export function isUnavailable({ status, head, body }: RawAnswer): boolean {
  if (status !== 503 || !/^retry-after: \d+\r?$/im.test(head)) return false;
  const { message, ...rest } = JSON.parse(body) as Record<string, unknown>;
  return (
    JSON.stringify(rest) === '{"code":"store_unavailable","status":503}' &&
    typeof message === 'string' &&
    !/mongo|127\.0\.0\.1|localhost/i.test(message)
  );
}
