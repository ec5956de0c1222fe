import { expect } from 'chai';
import { setTimeout } from 'node:timers/promises';
import { startCommand } from '../support/command.js';
import { Load, type LoadClient } from '../support/load.js';
import { RawConnection } from '../support/raw-connection.js';
import { requestBytes } from '../support/request.js';

const KEY = 'a-key-of-more-than-16';
/** The pause of each client between an answer and its next request, in milliseconds. */
const PAUSES = [0, 0, 0, 0, 0, 1, 5, 20];
const ANSWERS_BEFORE_THE_SIGNAL = 150;
const CREATE = requestBytes('POST', '/v1/pets', { key: KEY, body: '{"name":"Rex","categoryId":7}' });
const REQUESTS = [
  requestBytes('GET', '/v1/pets?limit=5', { key: KEY }),
  CREATE,
  requestBytes('GET', '/v1/pets/1', { key: KEY }),
  requestBytes('POST', '/v1/pets', { key: KEY, body: '{"name":"","categoryId":7}' }),
];
const STATUSES = [200, 201, 400];

describe('animal-store serve under steady load', function () {
  this.timeout(180_000);

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`fails no request while it ends by ${signal}`, async () => {
      const command = await startCommand(['--log-level=silent'], { API_KEYS: `anna:${KEY}` });
      const statuses = new Set<number>();
      const connections = await Promise.all(PAUSES.map(() => RawConnection.open(command.port)));
      for (const connection of connections) await connection.ask(CREATE);
      const load = new Load(connections.map((connection, i) => clientOf(connection, PAUSES[i] ?? 0, statuses)));
      await load.next('answered', ANSWERS_BEFORE_THE_SIGNAL);
      command.kill(signal);
      expect((await load.ended()).unexpected).to.deep.equal([]);
      expect(await command.exited).to.deep.equal({ code: 0, signal: null });
      expect(statuses).to.deep.equal(new Set(STATUSES));
    });
  }
});

/** Sends on one connection, request after request, until an answer says that it is the last. */
async function* clientOf(connection: RawConnection, pause: number, statuses: Set<number>): LoadClient {
  for (;;) {
    for (const request of REQUESTS) {
      const { status, text, isLast } = await connection.ask(request);
      statuses.add(status);
      yield STATUSES.includes(status) ? 'answered' : `${status} ${text}`;
      if (isLast) return;
      if (pause > 0) await setTimeout(pause);
    }
  }
}
