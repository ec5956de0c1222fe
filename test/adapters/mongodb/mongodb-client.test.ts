import { expect } from 'chai';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import {
  createMongoClient,
  databaseNameOf,
  MONGO_CLIENT_OPTIONS,
  ping,
} from '../../../src/adapters/mongodb/mongodb-client.js';
import { AnimalStoreError } from '../../../src/domain/errors.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { SLACK_MS } from '../../support/slack.js';
import { useMongodb } from '../../support/use-mongodb.js';

describe('createMongoClient', () => {
  it('has time-outs with which a silent server is given up, and found again', () => {
    expect(createMongoClient('mongodb://127.0.0.1/').options).to.include(MONGO_CLIENT_OPTIONS);
  });

  it('lets the options of the URL win over its own, and those given over both', () => {
    const url = 'mongodb://127.0.0.1/?servERselectionTimeoutMS=7&waitQueueTimeoutMS=8';
    const { options } = createMongoClient(url, { waitQueueTimeoutMS: 9, heartbeatFrequencyMS: 600 });
    expect(options.serverSelectionTimeoutMS).to.equal(7);
    expect(options.waitQueueTimeoutMS).to.equal(9);
    expect(options.heartbeatFrequencyMS).to.equal(600);
    expect(options.connectTimeoutMS).to.equal(2000);
  });

  for (const url of [
    '',
    'secret',
    'http://user:secret@host/',
    'mongodb://',
    'mongodb://user:sec/ret@host/',
    'mongodb://user:secret%zz@host/',
    'mongodb://user:secret@host:99999/',
    'mongodb://user:secret@host/?secret=1',
    'mongodb://user:secret@host/?waitQueueTimeoutMS=secret',
    'mongodb+srv://user:secret@host:27017/',
  ]) {
    it(`refuses ${url || 'an empty URL'} without repeating any of it`, () => {
      expect(() => createMongoClient(url))
        .to.throw(TypeError, 'the MongoDB URL or an option beside it is malformed')
        .with.property('message')
        .that.does.not.match(/secret|sec\/ret|99999/);
    });
  }
});

describe('databaseNameOf', () => {
  it('is the name in the URL, or animal-store', () => {
    expect(databaseNameOf('mongodb://host/')).to.equal('animal-store');
    expect(databaseNameOf('mongodb://host')).to.equal('animal-store');
    expect(databaseNameOf('mongodb://host?w=1')).to.equal('animal-store');
    expect(databaseNameOf('mongodb://host/?authSource=a/b')).to.equal('animal-store');
    expect(databaseNameOf('mongodb://user:p%2Fw@one:1,two:2/zoo?w=1')).to.equal('zoo');
    expect(databaseNameOf('mongodb+srv://user:pw@host/our%20zoo')).to.equal('our zoo');
  });
});

describe('ping', () => {
  const mongodb = useMongodb();

  it('resolves where the server answers', async () => {
    await ping(mongodb.createDatabase());
  });

  it('rejects with store_unavailable where it does not, within its deadline', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const client = createMongoClient(`mongodb://127.0.0.1:${port}/`, { serverSelectionTimeoutMS: 30_000 });
    try {
      const start = performance.now();
      const error = await rejectionOf(ping(client.db(), 300));
      expect(performance.now() - start).to.be.lessThan(300 + SLACK_MS);
      expect(error).to.be.instanceOf(AnimalStoreError).with.property('code', 'store_unavailable');
    } finally {
      await client.close();
      silent.close();
    }
  });
});
