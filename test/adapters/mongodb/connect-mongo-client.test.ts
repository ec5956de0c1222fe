import { expect } from 'chai';
import type { MongoClient } from 'mongodb';
import { createSocket, type Socket } from 'node:dgram';
import { getServers, setServers } from 'node:dns';
import { once } from 'node:events';
import { createServer } from 'node:net';
import {
  connectMongoClient,
  MongoConnectionError,
  retryWhileUnavailable,
  type ConnectMongoClientOptions,
} from '../../../src/adapters/mongodb/connect-mongo-client.js';
import { AnimalStoreError } from '../../../src/domain/errors.js';
import { endWithTest } from '../../support/cleanup.js';
import { startDatalessMongodb, type DatalessMongodb } from '../../support/dataless-mongodb.js';
import { listenOnFreePort } from '../../support/listen-on-free-port.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { until } from '../../support/until.js';
import { usePrivateServer } from '../../support/use-mongodb.js';

/** Longer than a test may take: a rejection shows that nothing waited for it. */
const FOR_EVER_MS = 600_000;

describe('connectMongoClient', function () {
  this.timeout(180_000);
  const { server } = usePrivateServer();

  /** The message of the error with which it gives up: immediately, unless the options say otherwise. */
  async function messageOf(url: string, options: ConnectMongoClientOptions = {}): Promise<string> {
    const error = await rejectionOf(connectMongoClient(url, { timeoutMs: FOR_EVER_MS, ...options }));
    expect(error).to.be.instanceOf(MongoConnectionError);
    expect((error as Error).cause).to.be.instanceOf(Error);
    return (error as Error).message;
  }

  it('gives the client before it connects, so that none of its events is missed', async () => {
    let opened = 0;
    const client = await connectMongoClient(server().url, {
      onClient: (given) => given.on('topologyOpening', () => opened++),
    });
    endWithTest(async () => client.close());
    expect(opened).to.equal(1);
  });

  it('leaves no listener on the client', async () => {
    const client = await connectMongoClient(server().url);
    endWithTest(async () => client.close());
    for (const event of ['serverHeartbeatFailed', 'serverHeartbeatSucceeded'] as const) {
      expect(client.listenerCount(event), event).to.equal(0);
    }
  });

  it('rejects immediately, and names the file, if a file of certificates is missing', async () => {
    const url = `${server().url}&tls=true&tlsCAFile=/no/such/ca.pem`;
    expect(await messageOf(url)).to.match(/^the MongoDB server cannot be reached: ENOENT.*ca\.pem/);
  });

  describe('on a port without TLS', () => {
    let port: number;

    beforeEach(async () => {
      const plain = createServer((socket) => {
        socket.on('error', () => socket.destroy());
        socket.once('data', () => socket.end('this is not TLS'));
      });
      port = await listenOnFreePort(plain);
    });

    for (const [what, listen] of [
      ['silent', async () => listenOnFreePort(createServer())],
      ['closed', async () => 1],
    ] as const) {
      it(`waits for another host of a URL that asks for TLS, whose port is ${what}`, async () => {
        let waits: () => void = () => undefined;
        const isWaiting = new Promise<string>((resolve) => (waits = () => resolve('waits')));
        const connecting = connectMongoClient(`mongodb://127.0.0.1:${port},127.0.0.1:${await listen()}/?tls=true`, {
          deadlineMs: 500,
          timeoutMs: 2000,
          onWait: () => waits(),
        });
        const rejection = rejectionOf(connecting);
        expect(await Promise.race([isWaiting, rejection])).to.equal('waits');
        await rejection;
      });
    }

    it('rejects immediately with the reason if the URL asks for TLS', async () => {
      const url = `mongodb://anna:S3cret@127.0.0.1:${port}/?tls=true`;
      expect(await messageOf(url))
        .to.match(/^the MongoDB server cannot be reached: .*(SSL|TLS)/i)
        .and.not.include('S3cret');
    });
  });

  it('keeps waiting for a host whose name does not resolve yet', async () => {
    expect(await messageOf('mongodb://no-such-host.invalid/', { timeoutMs: 600 })).to.match(
      /^the MongoDB server was not ready within 0\.6 s: .*no-such-host/,
    );
  });

  it('rejects with the first cause if no server fails and none answers', async () => {
    const silent = await listenOnFreePort(createServer());
    const limits = { deadlineMs: FOR_EVER_MS, timeoutMs: 500 };
    expect(await messageOf(`mongodb://127.0.0.1:${silent}/`, limits)).to.match(
      /^the MongoDB server was not ready within 0\.5 s: .*(within|after) \d+ ms/,
    );
  });

  describe('with a name server that knows no name', () => {
    const servers = getServers();
    let nameServer: Socket;
    /** The flags of its answers (RFC 1035, section 4.1.1): that no name exists, or that it cannot tell. */
    let flags: number;
    beforeEach(async () => {
      flags = 0x8183;
      nameServer = createSocket('udp4', (query, { port, address }) => {
        const answer = Buffer.from(query);
        answer.writeUInt16BE(flags, 2);
        nameServer.send(answer, port, address);
      });
      nameServer.bind(0, '127.0.0.1');
      await once(nameServer, 'listening');
      setServers([`127.0.0.1:${nameServer.address().port}`]);
    });
    afterEach(() => {
      setServers(servers);
      nameServer.close();
    });

    it('rejects immediately, and names the host, if the name of an SRV URL does not exist', async () => {
      const url = 'mongodb+srv://anna:S3cret@zoo.example.test/zoo';
      expect(await messageOf(url)).to.match(/cannot be reached: .*ENOTFOUND.*zoo\.example\.test/);
    });

    it('does not treat a name that the name server cannot resolve at the moment as one that does not exist', async () => {
      flags = 0x8182;
      const message = await messageOf('mongodb+srv://zoo.example.test/zoo', { timeoutMs: 600 });
      expect(message).not.to.include('cannot be reached');
    });
  });

  describe('to a member of a replica set', () => {
    let server: DatalessMongodb;
    const messageWith = async (query: string): Promise<string> =>
      messageOf(`mongodb://127.0.0.1:${server.port}/zoo?${query}`);
    beforeEach(async () => {
      server = await startDatalessMongodb();
    });

    it('resolves if it is the set that the URL names', async () => {
      server.stepUp();
      const client = await connectMongoClient(`mongodb://127.0.0.1:${server.port}/zoo?replicaSet=rs0`);
      await client.close();
    });

    it('rejects immediately, and names the set that it found, if the URL names another one', async () => {
      server.stepUp();
      expect(await messageWith('replicaSet=zoo')).to.equal(
        'the MongoDB server cannot be used: it belongs to the replica set rs0, not to zoo',
      );
    });

    it('rejects immediately if the URL names a set and the server belongs to none', async () => {
      expect(await messageWith('replicaSet=zoo')).to.equal(
        'the MongoDB server cannot be used: it belongs to no replica set, not to zoo',
      );
    });

    it('rejects immediately if a direct connection leads to a secondary of a set that has a primary', async () => {
      server.stepDown('127.0.0.1:1');
      expect(await messageWith('directConnection=true')).to.match(
        /^the MongoDB server cannot be used: the server is not the primary, and directConnection/,
      );
    });

    it('closes the client before it rejects', async () => {
      server.stepDown('127.0.0.1:1');
      let closed = 0;
      await messageOf(`mongodb://127.0.0.1:${server.port}/zoo?directConnection=true`, {
        onClient: (client) => client.on('topologyClosed', () => closed++),
      });
      expect(closed).to.equal(1);
    });

    it('waits with a direct connection until the set has a primary', async () => {
      server.stepDown();
      const waits: string[] = [];
      const connecting = connectMongoClient(`mongodb://127.0.0.1:${server.port}/zoo?directConnection=true`, {
        onWait: (reason) => {
          waits.push(reason);
          server.stepUp();
        },
      });
      const client = await connecting;
      endWithTest(async () => client.close());
      expect(waits).to.have.lengthOf(1);
      expect(waits[0]).to.match(/^the server is not the primary/);
    });
  });

  it('makes one client, which it connects again until the server answers', async () => {
    await server().stop();
    const clients: MongoClient[] = [];
    const waits: string[] = [];
    const connecting = connectMongoClient(server().url, {
      deadlineMs: 1000,
      onClient: (client) => clients.push(client),
      onWait: (reason) => waits.push(reason),
    });
    await until(() => waits.length > 0);
    await server().start();
    const client = await connecting;
    endWithTest(async () => client.close());
    expect(clients).to.deep.equal([client]);
    expect(await client.db().command({ ping: 1 })).to.include({ ok: 1 });
  });

  it('reports that it waits, and rejects with the reason if nothing answers in time', async () => {
    const waits: string[] = [];
    const onWait = (reason: string): unknown => waits.push(reason);
    const limits = { deadlineMs: 1000, timeoutMs: 2000, onWait };
    expect(await messageOf('mongodb://anna:S3cret@127.0.0.1:1/', limits)).to.equal(
      'the MongoDB server was not ready within 2 s: connect ECONNREFUSED 127.0.0.1:1',
    );
    expect(waits).to.deep.equal(['connect ECONNREFUSED 127.0.0.1:1']);
  });

  it('rejects immediately with the error of the server if the password is wrong', async () => {
    const { port, refuse } = await startDatalessMongodb();
    refuse({ code: 18, codeName: 'AuthenticationFailed', errmsg: 'Authentication failed.' }, ['saslStart']);
    const url = `mongodb://anna:S3cret@127.0.0.1:${port}/zoo?authMechanism=SCRAM-SHA-256`;
    const error = await rejectionOf(connectMongoClient(url, { timeoutMs: FOR_EVER_MS }));
    expect(error).to.include({ code: 18 }).and.not.be.instanceOf(MongoConnectionError);
  });
});

const silence = new AnimalStoreError('store_unavailable', 'the store did not answer in time', {
  cause: new Error('no server was selected', { cause: new Error('the port is closed') }),
});

describe('retryWhileUnavailable', () => {
  it('gives each attempt all the remaining time', async () => {
    const given: number[] = [];
    await retryWhileUnavailable({ timeoutMs: FOR_EVER_MS }, async (remainingMs) => {
      if (given.push(remainingMs) === 1) throw silence;
    });
    expect(given[0]).to.be.within(FOR_EVER_MS - 1000, FOR_EVER_MS);
    expect(given[1]).to.be.within(FOR_EVER_MS / 2, FOR_EVER_MS - 100);
  });

  it('says once why it waits', async () => {
    const reasons: string[] = [];
    let runs = 0;
    await retryWhileUnavailable({ onWait: (reason) => reasons.push(reason) }, async () => {
      if (++runs < 3) throw silence;
    });
    expect(reasons).to.deep.equal(['the port is closed']);
  });

  it('takes at least half a second, and rejects with the first cause after that', async () => {
    const given: number[] = [];
    const error = await rejectionOf(
      retryWhileUnavailable({ timeoutMs: 1 }, async (remainingMs) => {
        given.push(remainingMs);
        throw silence;
      }),
    );
    expect(given[0]).to.equal(500);
    expect(error).to.be.instanceOf(MongoConnectionError).and.include({
      name: 'MongoConnectionError',
      message: 'the MongoDB server was not ready within 0.001 s: the port is closed',
      cause: silence,
    });
  });

  it('rejects immediately with any other error', async () => {
    for (const error of [new Error('not authorized'), new AnimalStoreError('invalid_pet', 'no')]) {
      let runs = 0;
      const attempt = async (): Promise<never> => {
        runs++;
        throw error;
      };
      expect(await rejectionOf(retryWhileUnavailable({ timeoutMs: FOR_EVER_MS }, attempt))).to.equal(error);
      expect(runs).to.equal(1);
    }
  });
});
