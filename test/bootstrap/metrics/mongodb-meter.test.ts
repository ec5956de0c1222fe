import { expect } from 'chai';
import type {
  ConnectionCheckedOutEvent,
  ConnectionCheckOutStartedEvent,
  ConnectionClosedEvent,
  ConnectionCreatedEvent,
  ConnectionPoolClearedEvent,
  ConnectionPoolClosedEvent,
  ConnectionReadyEvent,
  MongoClient,
} from 'mongodb';
import { once } from 'node:events';
import { Registry } from 'prom-client';
import { createMongoClient } from '../../../src/adapters/mongodb/client.js';
import { MongoPetCatalogue } from '../../../src/adapters/mongodb/mongo-pet-catalogue.js';
import { mongodbMeter } from '../../../src/bootstrap/metrics/mongodb-meter.js';
import { endWithTest } from '../../support/cleanup.js';
import { startDatalessMongodb } from '../../support/dataless-mongodb.js';
import { Metrics } from '../../support/metrics.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.js';
import { until } from '../../support/until.js';

describe('mongodbMeter', () => {
  it('has durations in seconds', async () => {
    const registry = new Registry();
    mongodbMeter([registry]).onOperation({ name: 'pets.find', outcome: 'ok', durationMs: 1500 });
    const metrics = new Metrics(await registry.metrics());
    const labels = { operation: 'pets.find', outcome: 'ok' };
    expect(metrics.value('animal_store_mongodb_operation_duration_seconds_sum', labels)).to.equal(1.5);
  });
});

describe('mongodbMeter on a pool of one connection', () => {
  let registry: Registry;
  let proxy: TcpProxy;
  let client: MongoClient;

  beforeEach(async () => {
    registry = new Registry();
    proxy = await startTcpProxy((await startDatalessMongodb()).port);
    client = createMongoClient(`mongodb://127.0.0.1:${proxy.port}/zoo?maxPoolSize=1&waitQueueTimeoutMS=200`);
    mongodbMeter([registry]).watchClient(client);
    endWithTest(async () => {
      proxy.pass();
      proxy.hangUp();
      await client.close();
    });
    await client.connect();
    await ping();
  });

  const ping = async (): Promise<unknown> => client.db().command({ ping: 1 });

  const value = async (name: string, labels?: Readonly<Record<string, string>>): Promise<number> =>
    new Metrics(await registry.metrics()).value(`animal_store_mongodb_pool_${name}`, labels);

  /** Starts an operation that gets no answer, and resolves when it has the connection; to what ends it. */
  const occupy = async (): Promise<() => Promise<unknown>> => {
    proxy.swallow();
    const checkedOut = once(client, 'connectionCheckedOut');
    const rejection = rejectionOf(ping());
    await checkedOut;
    return async () => {
      proxy.pass();
      proxy.hangUp();
      return rejection;
    };
  };

  it('counts the connection that is open', async () => {
    expect(await value('connections')).to.equal(1);
    expect(await value('connections_created_total')).to.equal(1);
    expect(await value('connections_closed_total')).to.equal(0);
  });

  it('counts the connection as in use while an operation has it', async () => {
    expect(await value('connections_in_use')).to.equal(0);
    const end = await occupy();
    expect(await value('connections_in_use')).to.equal(1);
    await end();
    expect(await value('connections_in_use')).to.equal(0);
  });

  it('counts an operation as waiting until it gets the connection', async () => {
    await occupy();
    const started = once(client, 'connectionCheckOutStarted');
    const rejection = rejectionOf(ping());
    await started;
    expect(await value('waiting')).to.equal(1);
    await rejection;
    expect(await value('waiting')).to.equal(0);
  });

  it('counts an operation that got no connection by the reason', async () => {
    await occupy();
    expect(await value('checkouts_failed_total')).to.equal(0);
    await rejectionOf(ping());
    expect(await value('checkouts_failed_total', { reason: 'timeout' })).to.equal(1);
    expect(await value('checkouts_failed_total')).to.equal(1);
  });

  it('counts a connection that is closed by the reason', async () => {
    await client.close();
    expect(await value('connections')).to.equal(0);
    expect(await value('connections_closed_total', { reason: 'poolClosed' })).to.equal(1);
    expect(await value('connections_closed_total')).to.equal(1);
  });

  it('counts an operation that is cancelled as waiting for no longer than the driver lets one wait', async () => {
    await occupy();
    const started = once(client, 'connectionCheckOutStarted');
    const cancellation = new AbortController();
    const rejection = rejectionOf(client.db().command({ ping: 1 }, { signal: cancellation.signal }));
    await started;
    expect(await value('waiting')).to.equal(1);
    cancellation.abort(new Error('enough'));
    await rejection;
    await until(async () => (await value('waiting')) === 0);
  });

  it('counts an operation as waiting for as long as the driver lets it wait, after one before it got a connection', async () => {
    const address = client.options.hosts.join();
    let time = 1000;
    performance.now = () => time;
    endWithTest(() => Reflect.deleteProperty(performance, 'now'));
    client.emit('connectionCheckOutStarted', { address } as ConnectionCheckOutStartedEvent);
    time += 150;
    client.emit('connectionCheckOutStarted', { address } as ConnectionCheckOutStartedEvent);
    client.emit('connectionCheckedOut', { address, connectionId: 7 } as ConnectionCheckedOutEvent);
    time += 199;
    expect(await value('waiting')).to.equal(1);
    time += 1;
    expect(await value('waiting')).to.equal(0);
  });

  it('counts no connection that was being opened when its pool was cleared, unless it is opened after all', async () => {
    const address = client.options.hosts.join();
    client.emit('connectionCreated', { address, connectionId: 7 } as ConnectionCreatedEvent);
    expect(await value('connections')).to.equal(2);
    client.emit('connectionPoolCleared', { address } as ConnectionPoolClearedEvent);
    expect(await value('connections')).to.equal(1);
    client.emit('connectionReady', { address, connectionId: 7 } as ConnectionReadyEvent);
    expect(await value('connections')).to.equal(2);
    client.emit('connectionClosed', { address, connectionId: 7 } as ConnectionClosedEvent);
    expect(await value('connections')).to.equal(1);
  });

  it('counts no connection that was being opened when its pool was closed', async () => {
    const address = 'removed.example:27017';
    client.emit('connectionCreated', { address, connectionId: 1 } as ConnectionCreatedEvent);
    expect(await value('connections')).to.equal(2);
    client.emit('connectionPoolClosed', { address } as ConnectionPoolClosedEvent);
    expect(await value('connections')).to.equal(1);
  });

  it('counts nothing of a pool that was closed while a connection of it was in use', async () => {
    const end = await occupy();
    await client.close();
    for (const name of ['connections', 'connections_in_use', 'waiting']) expect(await value(name), name).to.equal(0);
    await end();
  });

  it('returns to 0 after operations that were cut, lost and cancelled at any step, and after the client has closed', async () => {
    const catalogue = new MongoPetCatalogue(client.db(), { deadlineMs: 100 });
    const calls: Promise<unknown>[] = [];
    for (const fault of ['cut', 'swallow', 'hangUp', 'delay'] as const) {
      for (let i = 0; i < 4; i++) calls.push(rejectionOf(catalogue.add({ name: 'Rex', categoryId: 7n })));
      if (fault === 'delay') proxy.delay(50);
      else proxy[fault]();
      await Promise.all(calls);
      proxy.pass();
    }
    await until(async () => (await value('waiting')) === 0 && (await value('connections_in_use')) === 0);
    await client.close();
    for (const name of ['connections', 'connections_in_use', 'waiting']) expect(await value(name), name).to.equal(0);
  });
});
