import { expect } from 'chai';
import { once } from 'node:events';
import { Registry } from 'prom-client';
import { createMongoClient } from '../../../src/adapters/mongodb/client.js';
import { mongodbMeter } from '../../../src/bootstrap/metrics/mongodb-meter.js';
import { endWithTest } from '../../support/cleanup.js';
import { startDatalessMongodb } from '../../support/dataless-mongodb.js';
import { Metrics } from '../../support/metrics.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { startTcpProxy } from '../../support/tcp-proxy.js';

describe('mongodbMeter', () => {
  it('has durations in seconds', async () => {
    const registry = new Registry();
    mongodbMeter([registry]).onOperation({ name: 'pets.find', outcome: 'ok', durationMs: 1500 });
    const metrics = new Metrics(await registry.metrics());
    const labels = { operation: 'pets.find', outcome: 'ok' };
    expect(metrics.value('animal_store_mongodb_operation_duration_seconds_sum', labels)).to.equal(1.5);
  });

  it('counts connections that are opened and closed, and operations that got none, by the reason', async () => {
    const registry = new Registry();
    const proxy = await startTcpProxy((await startDatalessMongodb()).port);
    const client = createMongoClient(`mongodb://127.0.0.1:${proxy.port}/zoo?maxPoolSize=1&waitQueueTimeoutMS=200`);
    endWithTest(async () => client.close());
    mongodbMeter([registry]).watchClient(client);
    const value = async (name: string, labels?: Readonly<Record<string, string>>): Promise<number> =>
      new Metrics(await registry.metrics()).value(`animal_store_mongodb_pool_${name}`, labels);
    const ping = async (): Promise<unknown> => client.db().command({ ping: 1 });

    await client.connect();
    await ping();
    expect(await value('connections_created_total')).to.equal(1);
    proxy.swallow();
    const isTaken = once(client, 'connectionCheckedOut');
    const unanswered = rejectionOf(ping());
    await isTaken;
    await rejectionOf(ping());
    expect(await value('checkouts_failed_total', { reason: 'timeout' })).to.equal(1);
    proxy.pass();
    proxy.hangUp();
    await unanswered;
    await client.close();
    expect(await value('connections_closed_total')).to.equal(await value('connections_created_total'));
  });
});
