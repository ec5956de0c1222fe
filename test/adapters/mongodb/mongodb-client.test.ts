import { expect } from 'chai';
import { createServer } from 'node:net';
import { createMongoClient, ping } from '../../../src/adapters/mongodb/client.js';
import { AnimalStoreError } from '../../../src/domain/errors.js';
import { endWithTest } from '../../support/cleanup.js';
import { listenOnFreePort } from '../../support/listen-on-free-port.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { PATIENT_MS } from '../../support/patience.js';
import { SLACK_MS } from '../../support/slack.js';
import { useMongodb } from '../../support/use-mongodb.js';
import { clientOf } from './client-of.js';

describe('createMongoClient', () => {
  it('waits for a primary and for a connection for slightly less time than an operation may take', () => {
    expect(createMongoClient('mongodb://127.0.0.1/').options).to.include({
      serverSelectionTimeoutMS: 4500,
      waitQueueTimeoutMS: 4500,
    });
  });

  it('tells the server the name of the application', () => {
    expect(createMongoClient('mongodb://127.0.0.1/').options.appName).to.equal('animal-store');
  });

  it('monitors the servers with more patience than an operation has', () => {
    expect(createMongoClient('mongodb://127.0.0.1/').options.connectTimeoutMS).to.equal(6000);
    const { options } = createMongoClient('mongodb://127.0.0.1/', { deadlineMs: 20_000 });
    expect(options.connectTimeoutMS).to.equal(21_000);
  });

  it('lets options in the URL override its own, and given options override both', () => {
    const url = 'mongodb://127.0.0.1/?servERselectionTimeoutMS=7&waitQueueTimeoutMS=8';
    const { options } = createMongoClient(url, { waitQueueTimeoutMS: 9, heartbeatFrequencyMS: 600 });
    expect(options.serverSelectionTimeoutMS).to.equal(7);
    expect(options.waitQueueTimeoutMS).to.equal(9);
    expect(options.heartbeatFrequencyMS).to.equal(600);
    expect(options.connectTimeoutMS).to.equal(6000);
  });

  it('looks for a server again within half a second of a lost connection', () => {
    expect(createMongoClient('mongodb://127.0.0.1/').options.minHeartbeatFrequencyMS).to.equal(500);
  });

  it('looks for a server again later if the URL says so, as a server without a topologyVersion needs it', () => {
    const { options } = createMongoClient('mongodb://127.0.0.1/?minHeartbeatFrequencyMS=1500');
    expect(options.minHeartbeatFrequencyMS).to.equal(1500);
    expect(options.heartbeatFrequencyMS).to.be.lessThan(options.minHeartbeatFrequencyMS);
  });

  it('finds the options of a URL that has no slash before them', () => {
    const { options } = createMongoClient('mongodb://127.0.0.1?appName=x/y&waitQueueTimeoutMS=8');
    expect(options.appName).to.equal('x/y');
    expect(options.waitQueueTimeoutMS).to.equal(8);
  });

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
    const start = performance.now();
    const error = await rejectionOf(ping(client.db(), 300));
    expect(performance.now() - start).to.be.lessThan(300 + SLACK_MS);
    expect(error).to.be.instanceOf(AnimalStoreError).with.property('code', 'store_unavailable');
  });
});
