import { expect } from 'chai';
import type { Environment, Exit } from '../support/child.js';
import type { RunningCommand } from '../support/command.js';
import { refusal } from '../support/is-listening.js';
import { RawConnection } from '../support/raw-connection.js';
import { requestBytes } from '../support/request.js';
import { DATABASE_SERVERS } from './databases.js';
import { isUnavailable } from './http-load.js';
import { KEY, serveOn } from './serve-on.js';
import { storedIds } from './stored-ids.js';

const CREATE = requestBytes('POST', '/v1/pets', { key: KEY, body: '{"name":"Rex","categoryId":7}' });

for (const { name, use } of DATABASE_SERVERS) {
  describe(`animal-store serve on ${name} after a signal`, function () {
    this.timeout(180_000);
    const { createStore, faults } = use();
    let store: Environment;

    before(async () => {
      store = await createStore();
    });

    afterEach(async () => faults['the database is paused']?.end());

    const start = async (...flags: string[]): Promise<RunningCommand> => serveOn(store, ...flags);

    /** Ends the service by SIGTERM. Its exit code is 0 only if it has ended within its time-out. */
    const terminate = async (service: RunningCommand): Promise<Exit> => {
      service.kill('SIGTERM');
      return service.exited;
    };

    it('answers and stores what is in flight, and ends with 0', async () => {
      const service = await start();
      await faults['the database is paused']?.begin();
      const connections = await Promise.all(Array.from({ length: 20 }, async () => RawConnection.open(service.port)));
      const responses = Promise.all(connections.map(async (connection) => connection.ask(CREATE)));
      const witness = await RawConnection.open(service.port);
      await witness.ask(requestBytes('GET', '/livez'));
      service.kill('SIGTERM');
      await refusal(service.port);
      await faults['the database is paused']?.end();
      const created = (await responses).map(({ status, isLast, text }) => {
        expect({ status, isLast }).to.deep.equal({ status: 201, isLast: true });
        return /"id":(\d+)/.exec(text)?.[1] ?? '';
      });
      expect(await service.exited).to.deep.equal({ code: 0, signal: null });
      const next = await start();
      expect(await storedIds(next, KEY)).to.include.members(created);
      await next.stop();
    });

    for (const what of ['the database is paused', 'the network swallows bytes']) {
      it(`answers 503 to what is in flight, then ends with 0, if ${what}`, async () => {
        const service = await start();
        const connection = await RawConnection.open(service.port);
        expect((await connection.ask(CREATE)).status).to.equal(201);
        await faults[what]?.begin();
        const response = connection.ask(CREATE);
        expect(await terminate(service)).to.deep.equal({ code: 0, signal: null });
        expect(isUnavailable(await response)).to.equal(true);
      });
    }

    it('ends with 1 at its time-out if that comes first and the database is silent', async () => {
      const service = await start('--shutdown-timeout=1000');
      const connection = await RawConnection.open(service.port);
      expect((await connection.ask(CREATE)).status).to.equal(201);
      await faults['the database is paused']?.begin();
      await connection.deliver(CREATE);
      expect(await terminate(service)).to.deep.equal({ code: 1, signal: null });
      connection.destroy();
    });
  });
}
