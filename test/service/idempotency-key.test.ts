import { expect } from 'chai';
import { expectError, expectReplay } from '../http/expectations.js';
import type { Answer } from '../support/answer.js';
import type { RunningCommand } from '../support/command.js';
import { request } from '../support/request.js';
import { startTcpProxy } from '../support/tcp-proxy.js';
import { throughProxy, useMongodb, usePrivateServer } from '../support/use-mongodb.js';
import { isUnavailable } from './http-load.js';
import { KEY, startService } from './mongodb-service.js';
import { storedIds } from './stored-ids.js';

const REX = '{"name":"Rex","categoryId":7}';
const TOM = '{"name":"Tom","categoryId":7}';

/** Sends a creation under an `Idempotency-Key`. */
async function create({ port }: RunningCommand, once: string, body = REX): Promise<Answer> {
  return request(port, 'POST', '/v1/pets', { key: KEY, body, headers: [['Idempotency-Key', once]] });
}

describe('a creation with Idempotency-Key', function () {
  this.timeout(180_000);

  describe('sent to several services on one database', () => {
    const mongodb = useMongodb();

    it('is answered in the same way by each, even after the one that stored it was killed and started again', async () => {
      const url = mongodb.createDatabaseUrl();
      const [killed, other] = await Promise.all([startService(url), startService(url)]);
      const first = await create(killed, 'order-1');
      expect([first.status, first.header('Idempotency-Replayed')]).to.deep.equal([201, undefined]);
      expectReplay(await create(other, 'order-1'), first);
      killed.kill('SIGKILL');
      await killed.exited;
      const again = await startService(url);
      for (const service of [other, again]) {
        expectReplay(await create(service, 'order-1'), first);
        expectError(await create(service, 'order-1', TOM), 422, 'idempotency_key_reused');
      }
      expect(await storedIds(again, KEY)).to.have.length(1);
    });

    it('stores one animal if each of them gets it concurrently', async () => {
      const url = mongodb.createDatabaseUrl();
      const services = await Promise.all([startService(url), startService(url)]);
      const answers = await Promise.all(
        Array.from({ length: 20 }, async (_, i) => create(services[i % 2] as RunningCommand, 'order-1')),
      );
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).to.equal(1);
      expect(answers[0]?.status).to.equal(201);
      expect(await storedIds(services[0], KEY)).to.have.length(1);
    });
  });

  describe('over a network to the database that loses every answer', () => {
    const { server } = usePrivateServer();

    it('ends in 503, and stores one animal when it is sent again, to another service', async () => {
      const proxy = await startTcpProxy(server().port);
      const flags = ['--mongodb-deadline', '1s'];
      const cutOff = await startService(throughProxy(server().url, proxy, 'once'), flags);
      const other = await startService(throughProxy(server().url, { port: server().port }, 'once'));
      // With its ids, so that only the animal and its reservation are to be written.
      expect((await create(cutOff, 'order-0')).status).to.equal(201);
      let lost = 0;
      proxy.judge((chunk) => {
        if (!chunk.includes('insert')) return 'pass';
        lost++;
        return 'lose answer';
      });
      expect(isUnavailable(await create(cutOff, 'order-1'))).to.equal(true);
      expect(lost).to.be.greaterThan(0);
      const answer = await create(other, 'order-1');
      expect(answer.status, answer.text).to.equal(201);
      proxy.pass();
      expect((await create(other, 'order-1')).text).to.equal(answer.text);
      expect(await storedIds(other, KEY)).to.have.length(2);
    });
  });
});
