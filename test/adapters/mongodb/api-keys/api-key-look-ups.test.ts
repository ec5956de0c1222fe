import { expect } from 'chai';
import type { CommandStartedEvent, Db } from 'mongodb';
import { setImmediate } from 'node:timers/promises';
import { MongoApiKeys } from '../../../../src/adapters/mongodb/api-keys/mongo-api-keys.js';
import type { MongoOperation } from '../../../../src/adapters/mongodb/operation.js';
import { createMongoClient } from '../../../../src/adapters/mongodb/client.js';
import { endWithTest } from '../../../support/cleanup.js';
import { startDatalessMongodb } from '../../../support/dataless-mongodb.js';
import { generateApiKey } from '../../../support/generate-api-key.js';
import { PATIENT_MS } from '../../../support/patience.js';
import { rejectionOf } from '../../../support/rejection-of.js';
import { startTcpProxy, type TcpProxy } from '../../../support/tcp-proxy.js';
import { until } from '../../../support/until.js';

/** Enough connections for more concurrent queries than are allowed. */
const CONNECTIONS = 8;
/** Longer than a test may take. */
const FOR_EVER_MS = 600_000;

describe('the look-ups of MongoApiKeys', () => {
  let proxy: TcpProxy;
  let db: Db;
  /** The digests of each query that was sent; one that is sent again counts once. */
  let queries: Set<string>;

  beforeEach(async () => {
    proxy = await startTcpProxy((await startDatalessMongodb()).port);
    const url = `mongodb://127.0.0.1:${proxy.port}/zoo?minPoolSize=${CONNECTIONS}&monitorCommands=true`;
    const client = createMongoClient(url);
    let connections = 0;
    client.on('connectionReady', () => connections++);
    queries = new Set();
    client.on('commandStarted', ({ commandName, command }: CommandStartedEvent) => {
      if (commandName === 'find') queries.add(JSON.stringify(command['filter']));
    });
    endWithTest(async () => {
      proxy.pass();
      proxy.hangUp();
      await client.close();
    });
    await client.connect();
    await until(() => connections >= CONNECTIONS);
    db = client.db();
  });

  it('are four concurrent queries while more keys arrive', async () => {
    const keys = new MongoApiKeys(db, { verifyDeadlineMs: FOR_EVER_MS });
    proxy.swallow();
    for (let i = 0; i < 2 * CONNECTIONS; i++) {
      keys.verify(generateApiKey()).catch(() => undefined);
      for (let turn = 0; turn < 5; turn++) await setImmediate();
    }
    await until(() => queries.size >= 4);
    expect(queries.size).to.equal(4);
  });

  it('that wait for a query reject with one that has no answer, and are not sent', async () => {
    const counts = new Set<number>();
    const observe = ({ count }: MongoOperation): unknown => counts.add(count);
    const keys = new MongoApiKeys(db, { verifyDeadlineMs: FOR_EVER_MS, deadlineMs: 2000, observe });
    proxy.swallow();
    const calls: Promise<unknown>[] = [];
    for (let i = 0; i < CONNECTIONS; i++) {
      calls.push(rejectionOf(keys.verify(generateApiKey())));
      await setImmediate();
    }
    for (const error of await Promise.all(calls)) expect(error).to.have.property('code', 'store_unavailable');
    // Those that wait would share a query.
    expect([...counts]).to.deep.equal([1]);
  });

  it('are one query for the keys of one moment, of which one beyond maxLookUps is refused, but none a second time', async () => {
    const keys = new MongoApiKeys(db, { verifyDeadlineMs: PATIENT_MS, maxLookUps: 2 });
    const [one, two, three] = [generateApiKey(), generateApiKey(), generateApiKey()];
    const accepted = [one, two, one].map(async (key) => keys.verify(key));
    const error = (await rejectionOf(keys.verify(three))) as Error;
    expect(error).to.include({ code: 'store_unavailable', message: 'too many API keys are being looked up' });
    expect(await Promise.all(accepted)).to.deep.equal([undefined, undefined, undefined]);
    expect(queries.size).to.equal(1);
  });

  it('make room for others when they have ended', async () => {
    const keys = new MongoApiKeys(db, { verifyDeadlineMs: PATIENT_MS, maxLookUps: 1 });
    for (let i = 0; i < 3; i++) expect(await keys.verify(generateApiKey())).to.equal(undefined);
  });

  it('outlive the calls that began them, and serve later calls with the same key', async () => {
    const keys = new MongoApiKeys(db, { verifyDeadlineMs: 1, deadlineMs: FOR_EVER_MS, maxLookUps: 1 });
    const key = generateApiKey();
    proxy.swallow();
    for (let i = 0; i < 3; i++) {
      expect(await rejectionOf(keys.verify(key))).to.have.property('message', 'the API key was not verified in time');
    }
    const message = 'too many API keys are being looked up';
    expect(await rejectionOf(keys.verify(generateApiKey()))).to.have.property('message', message);
    await until(() => queries.size > 0);
    expect(queries.size).to.equal(1);
  });
});
