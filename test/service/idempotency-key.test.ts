import { expect } from 'chai';
import { expectError, expectReplay } from '../http/expectations.js';
import type { Answer } from '../support/answer.js';
import type { RunningCommand } from '../support/command.js';
import { request } from '../support/request.js';
import { useMongodb } from '../support/use-mongodb.js';
import { KEY, startService } from './mongodb-service.js';
import { storedIds } from './stored-ids.js';

const REX = '{"name":"Rex","categoryId":7}';
const TOM = '{"name":"Tom","categoryId":7}';

/** Sends a creation under an `Idempotency-Key`. */
async function create({ port }: RunningCommand, once: string, body = REX): Promise<Answer> {
  return request(port, 'POST', '/v1/pets', { key: KEY, body, headers: [['Idempotency-Key', once]] });
}

describe('a creation with Idempotency-Key, sent to several services on one database', function () {
  this.timeout(180_000);
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
});
