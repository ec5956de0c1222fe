import { expect } from 'chai';
import {
  connectClient,
  createMongoClient,
  databaseNameOf,
  errorOfMongodbUrl,
} from '../../../src/adapters/mongodb/client.js';
import { endWithTest } from '../../support/cleanup.js';
import { startDatalessMongodb } from '../../support/dataless-mongodb.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { startTcpProxy } from '../../support/tcp-proxy.js';

describe('createMongoClient', () => {
  const LOCAL = 'mongodb://127.0.0.1';
  for (const [what, query, given, expected] of [
    [
      'ends what hangs before the deadline, each kind of wait before the next',
      '',
      { deadlineMs: 10_000 },
      { socketTimeoutMS: 7000, serverSelectionTimeoutMS: 9000, waitQueueTimeoutMS: 9000, connectTimeoutMS: 11_000 },
    ],
    ['has a deadline of 5 s by default', '', {}, { socketTimeoutMS: 3500, appName: 'animal-store' }],
    [
      'lets options in the URL override its own, whatever their case',
      'w=1&sockETtimeoutms=0&serverSelectionTimeoutMS=7',
      {},
      { socketTimeoutMS: 0, serverSelectionTimeoutMS: 7, waitQueueTimeoutMS: 4500 },
    ],
    [
      'lets given options override those of the URL',
      'waitQueueTimeoutMS=8',
      { waitQueueTimeoutMS: 9 },
      { waitQueueTimeoutMS: 9 },
    ],
  ] as const) {
    it(what, () => {
      expect(createMongoClient(`${LOCAL}/?${query}`, given).options).to.include(expected);
    });
  }

  it('cannot have the option useBigInt64, with which a step-down of the primary ends the process', () => {
    expect(() => createMongoClient(LOCAL, { useBigInt64: true })).to.throw(TypeError, 'useBigInt64');
    expect(() => createMongoClient(`${LOCAL}/?useBigInt64=true`)).to.throw(TypeError, 'useBigInt64');
  });

  for (const [what, url, expected] of [
    ['an unknown option', `${LOCAL}/?fastMode=true`, 'fastmode'],
    ['a value that an option does not take', `${LOCAL}/?maxPoolSize=many`, 'maxPoolSize'],
    ['another scheme', 'http://127.0.0.1/', 'mongodb://'],
    ['a port that is none', 'mongodb://user:S3cret@host:99999/', 'MongoDB URL'],
    ['a password that is not percent-encoded', 'mongodb://anna:S3c:r@t/x@host/', 'percent-encoded'],
    ['a password with an @', 'mongodb://anna:S3c@ret@host/', 'percent-encoded'],
    ['a password behind a question mark', 'mongodb://anna:p?S3cret=1@host/', 'MongoDB URL'],
  ] as const) {
    it(`refuses ${what}, and repeats no password`, () => {
      expect(errorOfMongodbUrl(url))
        .to.include(expected)
        .and.not.match(/S3c|anna/);
      expect(() => createMongoClient(url)).to.throw(TypeError, expected);
    });
  }
});

describe('the database of a MongoDB URL', () => {
  for (const name of ['my.db', 'my%20db', 'a%2Fb', '$db', 'd'.repeat(64)]) {
    it(`cannot be ${name}`, () => {
      expect(errorOfMongodbUrl(`mongodb://127.0.0.1/${name}`)).to.include('the name of its database');
    });
  }

  for (const [url, name] of [
    ['mongodb://a,b:27018/shop?replicaSet=rs0', 'shop'],
    ['mongodb+srv://anna:p%2Fw@zoo.example/my%2Dshop', 'my-shop'],
    ['mongodb://127.0.0.1/?w=1', 'animal-store'],
    ['mongodb://127.0.0.1?w=/x', 'animal-store'],
  ] as const) {
    it(`is ${name} for ${url}`, () => {
      expect(databaseNameOf(url)).to.equal(name);
    });
  }
});

describe('connectClient', () => {
  it('connects once more if a connection is lost in the handshake', async () => {
    const server = await startDatalessMongodb();
    const proxy = await startTcpProxy(server.port);
    server.reply('saslStart', () => ({ ok: 1, conversationId: 1, done: true, payload: '' }));
    let lost = 0;
    proxy.judge((chunk) => (chunk.includes('saslStart') && ++lost === 1 ? 'lose answer' : 'pass'));
    const options = 'authMechanism=PLAIN&authSource=$external&directConnection=true';
    const client = createMongoClient(`mongodb://anna:S3cret@127.0.0.1:${proxy.port}/zoo?${options}`);
    endWithTest(async () => client.close());
    expect(await connectClient(client)).to.equal(client);
    expect(lost).to.be.greaterThan(1);
    expect(await client.db().command({ ping: 1 })).to.have.property('ok', 1);
  });

  it('rejects with the hosts and the reason, and closes the client, if no server answers in time', async () => {
    const client = createMongoClient('mongodb://anna:S3cret@127.0.0.1:1,127.0.0.1:2/', { deadlineMs: 500 });
    let closed = 0;
    client.on('topologyClosed', () => closed++);
    const error = (await rejectionOf(connectClient(client))) as Error;
    expect(error.cause).to.have.property('name', 'MongoServerSelectionError');
    expect(error.message).to.match(
      /^MongoDB at 127\.0\.0\.1:1,127\.0\.0\.1:2: connect ECONNREFUSED 127\.0\.0\.1:[12]$/,
    );
    expect(closed).to.be.greaterThan(0);
  });

  for (const [what, isSecondary, query, reason] of [
    ['is a server without a replica set', false, 'replicaSet=rs0', 'no host is a member of the replica set rs0'],
    ['is of another replica set', true, 'replicaSet=rs1', 'no host is a member of the replica set rs1'],
    ['is no primary', true, 'replicaSet=rs0', 'no host is the primary'],
  ] as const) {
    it(`rejects with the reason if the host ${what}`, async () => {
      const server = await startDatalessMongodb();
      if (isSecondary) server.stepDown();
      const client = createMongoClient(`mongodb://127.0.0.1:${server.port}/?${query}`, { deadlineMs: 500 });
      const error = (await rejectionOf(connectClient(client))) as Error;
      const waited = 'Server selection timed out after 450 ms';
      expect(error.message).to.equal(`MongoDB at 127.0.0.1:${server.port}: ${waited}: ${reason}`);
    });
  }

  it('rejects at once if the server refuses', async () => {
    const server = await startDatalessMongodb();
    server.refuse({ code: 18, codeName: 'AuthenticationFailed', errmsg: 'Authentication failed.' }, ['saslStart']);
    const url = `mongodb://anna:S3cret@127.0.0.1:${server.port}/zoo?authMechanism=SCRAM-SHA-256`;
    const error = (await rejectionOf(connectClient(createMongoClient(url)))) as Error;
    expect(error.message).to.equal(`MongoDB at 127.0.0.1:${server.port}: Authentication failed.`);
    expect(error.cause).to.have.property('code', 18);
  });
});
