import { expect } from 'chai';
import { setTimeout } from 'node:timers/promises';
import { startCommand } from '../support/command.js';
import { RawConnection, requestText } from './raw-connection.js';

const KEY = 'a-key-of-more-than-16';
const ROUNDS = 5;
/** The pause of each connection between an answer and its next request, in milliseconds. */
const PAUSES = [0, 0, 0, 0, 0, 1, 5, 20];
const ANSWERS_BEFORE_THE_SIGNAL = 150;
const CREATE = requestText('POST', '/v1/pets', KEY, '{"name":"Rex","categoryId":7}');
const REQUESTS = [
  requestText('GET', '/v1/pets?limit=5', KEY),
  CREATE,
  requestText('GET', '/v1/pets/1', KEY),
  requestText('POST', '/v1/pets', KEY, '{"name":"","categoryId":7}'),
];

/** What the clients of one round saw. */
interface Tally {
  sent: number;
  readonly statuses: number[];
  readonly failures: string[];
}

describe('animal-store serve under steady load', function () {
  this.timeout(60_000);

  for (let round = 1; round <= ROUNDS; round++) {
    const signal = round % 2 === 0 ? 'SIGINT' : 'SIGTERM';

    it(`fails no request while it ends by ${signal} (round ${round})`, async () => {
      const command = await startCommand(['--log-level=silent'], { API_KEYS: `anna:${KEY}` });
      const tally: Tally = { sent: 0, statuses: [], failures: [] };
      let signalled = false;
      const onAnswer = (): void => {
        if (signalled || tally.statuses.length < ANSWERS_BEFORE_THE_SIGNAL) return;
        signalled = true;
        command.kill(signal);
      };
      const connections = await Promise.all(PAUSES.map(() => RawConnection.open(command.port)));
      for (const connection of connections) await connection.ask(CREATE);
      await Promise.all(connections.map((connection, i) => load(connection, PAUSES[i] ?? 0, tally, onAnswer)));
      expect(await command.exited).to.deep.equal({ code: 0, signal: null });
      expect(tally.failures).to.deep.equal([]);
      expect(tally.statuses).to.have.lengthOf(tally.sent);
      expect(new Set(tally.statuses)).to.deep.equal(new Set([200, 201, 400]));
    });
  }
});

/** One client: sends on one connection, request after request, until an answer says that it is the last. */
async function load(connection: RawConnection, pause: number, tally: Tally, onAnswer: () => void): Promise<void> {
  try {
    for (let i = 0, last = false; !last; i++) {
      tally.sent++;
      const answer = await connection.ask(REQUESTS[i % REQUESTS.length] as string);
      tally.statuses.push(answer.status);
      last = answer.last;
      onAnswer();
      if (pause > 0 && !last) await setTimeout(pause);
    }
  } catch (error) {
    tally.failures.push(String(error));
  }
  connection.destroy();
}
