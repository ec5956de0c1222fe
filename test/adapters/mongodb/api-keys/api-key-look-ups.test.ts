import { expect } from 'chai';
import type { Collection, CommandStartedEvent } from 'mongodb';
import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { ApiKeyLookUps } from '../../../../src/adapters/mongodb/api-keys/api-key-look-ups.js';
import { createMongoClient } from '../../../../src/adapters/mongodb/client.js';
import type { ApiKeyDocument } from '../../../../src/adapters/mongodb/api-keys/api-key-document.js';
import { endWithTest } from '../../../support/cleanup.js';
import { startDatalessMongodb } from '../../../support/dataless-mongodb.js';
import { rejectionOf } from '../../../support/rejection-of.js';
import { startTcpProxy, type TcpProxy } from '../../../support/tcp-proxy.js';
import { until } from '../../../support/until.js';

/** Enough connections for more queries at once than there may be. */
const CONNECTIONS = 8;

describe('ApiKeyLookUps', () => {
  let proxy: TcpProxy;
  let keys: Collection<ApiKeyDocument>;
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
    keys = client.db().collection('apiKeys');
  });

  it('has four queries at once under way while more digests arrive', async () => {
    const lookUps = new ApiKeyLookUps(keys, { deadlineMs: 600_000, maxWaiting: 100, observe: undefined });
    proxy.swallow();
    for (let i = 0; i < 2 * CONNECTIONS; i++) {
      lookUps.lookUp(randomBytes(32)).catch(() => undefined);
      for (let turn = 0; turn < 5; turn++) await setImmediate();
    }
    await until(() => queries.size >= 4);
    expect(queries.size).to.equal(4);
  });

  it('refuses a digest beyond those that may wait, but none that waits already', async () => {
    const lookUps = new ApiKeyLookUps(keys, { deadlineMs: 5000, maxWaiting: 2, observe: undefined });
    const [one, two, three] = [randomBytes(32), randomBytes(32), randomBytes(32)];
    const accepted = [one, two, one].map(async (digest) => lookUps.lookUp(digest));
    const error = (await rejectionOf(lookUps.lookUp(three))) as Error;
    expect(error).to.include({ code: 'store_unavailable', message: 'too many API keys are being looked up' });
    expect(await Promise.all(accepted)).to.deep.equal([undefined, undefined, undefined]);
    expect(queries.size).to.equal(1);
  });
});
