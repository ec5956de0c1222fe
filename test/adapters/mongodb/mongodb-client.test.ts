import { expect } from 'chai';
import { createServer } from 'node:net';
import { createMongoClient, ping } from '../../../src/adapters/mongodb/client.js';
import { AnimalStoreError } from '../../../src/domain/errors.js';
import { endWithTest } from '../../support/cleanup.js';
import { listenOnFreePort } from '../../support/listen-on-free-port.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { PATIENT_MS } from '../../support/patience.js';
import { useMongodb } from '../../support/use-mongodb.js';
import { clientOf } from './client-of.js';

describe('createMongoClient', () => {
  const LOCAL = 'mongodb://127.0.0.1';
  for (const [what, url, given, options] of [
    [
      'waits for a primary and for a connection for slightly less time than an operation may take',
      `${LOCAL}/`,
      {},
      { serverSelectionTimeoutMS: 4500, waitQueueTimeoutMS: 4500 },
    ],
    ['tells the server the name of the application', `${LOCAL}/`, {}, { appName: 'animal-store' }],
    ['monitors the servers with more patience than an operation has', `${LOCAL}/`, {}, { connectTimeoutMS: 6000 }],
    ['monitors them by its deadline', `${LOCAL}/`, { deadlineMs: 20_000 }, { connectTimeoutMS: 21_000 }],
    [
      'lets options in the URL override its own, whatever their case',
      `${LOCAL}/?servERselectionTimeoutMS=7`,
      {},
      { serverSelectionTimeoutMS: 7, connectTimeoutMS: 6000 },
    ],
    [
      'lets given options override those of the URL',
      `${LOCAL}/?waitQueueTimeoutMS=8`,
      { waitQueueTimeoutMS: 9, heartbeatFrequencyMS: 600 },
      { waitQueueTimeoutMS: 9, heartbeatFrequencyMS: 600 },
    ],
    [
      'looks for a server again within half a second of a lost connection',
      `${LOCAL}/`,
      {},
      { minHeartbeatFrequencyMS: 500 },
    ],
    [
      'looks for a server again later if the URL says so, as a server without a topologyVersion needs it',
      `${LOCAL}/?minHeartbeatFrequencyMS=1500`,
      {},
      { minHeartbeatFrequencyMS: 1500, heartbeatFrequencyMS: 1000 },
    ],
  ] as const) {
    it(what, () => {
      expect(createMongoClient(url, given).options).to.include(options);
    });
  }

  it('refuses a malformed URL without repeating any of it', () => {
    expect(() => createMongoClient('mongodb://user:secret@host:99999/'))
      .to.throw(TypeError, /^the MongoDB URL must /)
      .with.property('message')
      .that.does.not.match(/secret|99999/);
  });
});

describe('an option of createMongoClient', () => {
  it('is refused if the driver refuses it beside the URL', () => {
    expect(() => createMongoClient('mongodb://host/', { maxPoolSize: -1 })).to.throw(
      TypeError,
      'an option beside the MongoDB URL is malformed',
    );
  });

  it('cannot be useBigInt64, with which a step-down of the primary ends the process', () => {
    expect(() => createMongoClient('mongodb://host/', { useBigInt64: true })).to.throw(TypeError, 'useBigInt64');
    expect(() => createMongoClient('mongodb://host/?useBigInt64=true')).to.throw(TypeError, 'useBigInt64');
    createMongoClient('mongodb://host/?useBigInt64=false', { useBigInt64: false });
  });
});

describe('ping', () => {
  const mongodb = useMongodb();

  it('resolves if the server answers', async () => {
    await ping(mongodb.createDatabase());
  });

  it('resolves over a direct connection, too, if the server does not know hello', async () => {
    const client = createMongoClient(mongodb.server().url, { directConnection: true });
    endWithTest(async () => client.close());
    await ping(client.db(), PATIENT_MS);
  });

  it('rejects with store_unavailable within its deadline if the server does not answer', async () => {
    const port = await listenOnFreePort(createServer(() => undefined));
    const client = clientOf({ port }, { serverSelectionTimeoutMS: 30_000 });
    const error = await rejectionOf(ping(client.db(), 300));
    expect(error).to.be.instanceOf(AnimalStoreError).with.property('code', 'store_unavailable');
    expect(error).to.have.nested.property('cause.message', 'no answer within 300 ms');
  });
});
