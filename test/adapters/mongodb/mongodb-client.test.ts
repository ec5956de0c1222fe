import { expect } from 'chai';
import fc from 'fast-check';
import { ConnectionString } from 'mongodb-connection-string-url';
import { createServer } from 'node:net';
import {
  createMongoClient,
  databaseNameOf,
  errorOfMongodbUrl,
  ping,
} from '../../../src/adapters/mongodb/mongodb-client.js';
import { AnimalStoreError } from '../../../src/domain/errors.js';
import { listenOnFreePort } from '../../support/listen-on-free-port.js';
import { rejectionOf } from '../../support/rejection-of.js';
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

  it('lets the options of the URL override its own, and those given override both', () => {
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
  for (const [url, name] of [
    ['mongodb://host/', 'animal-store'],
    ['mongodb://host', 'animal-store'],
    ['mongodb://host?w=1', 'animal-store'],
    ['mongodb://host?appName=x/y', 'animal-store'],
    ['mongodb://host/?authSource=a/b', 'animal-store'],
    ['mongodb://user:p%2Fw@one:1,two:2/zoo?w=1', 'zoo'],
    ['mongodb+srv://user:pw@host/our%20zoo', 'our zoo'],
    ['mongodb://host/test', 'test'],
  ] as const) {
    it(`is ${name} for ${url}`, () => expect(databaseNameOf(url)).to.equal(name));
  }

  it('is what the driver uses, if the URL names a database', () => {
    for (const url of ['mongodb://host/zoo', 'mongodb://host/z%6fo?appName=a/b', 'mongodb://u:p@one,two/zoo?w=1']) {
      expect(databaseNameOf(url), url).to.equal(createMongoClient(url).db().databaseName);
    }
  });
});

describe('the database and the options in the URL of MongoDB', () => {
  const urls = fc
    .record({
      scheme: fc.constantFrom('mongodb', 'mongodb+srv'),
      user: fc.constantFrom('', 'user@', 'user:p%2Fw%3F%40@'),
      hosts: fc.constantFrom('host', 'one:1,two:2', '[::1]:27017', 'a.b,c.d'),
      name: fc.option(
        fc.string().map((name) => `/${encodeURIComponent(name)}`),
        { nil: '' },
      ),
      query: fc.constantFrom('', '?', '?w=1', '?appName=a/b', '?WAITQueueTimeoutMS=8&w=1'),
    })
    .map(({ scheme, user, hosts, name, query }) => `${scheme}://${user}${hosts}${name}${query}`)
    .filter(isConnectionString);

  it('are what the parser of the driver reads', () => {
    fc.assert(
      fc.property(urls, (url) => {
        const { pathname, searchParams } = new ConnectionString(url);
        expect(databaseNameOf(url)).to.equal(decodeURIComponent(pathname.slice(1)) || 'animal-store');
        const { options } = createMongoClient(url.replace('mongodb+srv', 'mongodb'), { directConnection: false });
        expect(options.waitQueueTimeoutMS).to.equal(searchParams.has('waitQueueTimeoutMS') ? 8 : 4500);
      }),
    );
  });
});

function isConnectionString(url: string): boolean {
  try {
    return new ConnectionString(url).href !== '';
  } catch {
    return false;
  }
}

describe('errorOfMongodbUrl', () => {
  it('is nothing for a URL that the driver accepts', () => {
    for (const url of ['mongodb://host', 'mongodb://host/zoo?appName=x/y', 'mongodb+srv://user:pw@host/zoo']) {
      expect(errorOfMongodbUrl(url), url).to.equal(undefined);
    }
  });

  for (const url of ['http://host/zoo', 'mongodb://user:sec/ret@host/', 'mongodb://host/?waitQueueTimeoutMS=long']) {
    it(`is about the form of ${url}`, () => {
      expect(errorOfMongodbUrl(url)).to.match(/^must be mongodb:/);
    });
  }

  it('is none for a name of 63 bytes', () => {
    expect(errorOfMongodbUrl(`mongodb://host/${'x'.repeat(63)}`)).to.equal(undefined);
  });

  for (const name of ['my.db', 'a%20b', '%24x', 'a%2Fb', 'a%5Cb', 'a%22', '%00', 'x'.repeat(64)]) {
    it(`is about the database for the name ${name}`, () => {
      expect(errorOfMongodbUrl(`mongodb://host/${name}`)).to.match(/^must name a database of/);
    });
  }

  it('repeats nothing of the URL', () => {
    for (const url of ['mongodb://user:sec/ret@host/', 'mongodb://user:secret@host/secret.db']) {
      expect(errorOfMongodbUrl(url))
        .to.match(/^must /)
        .and.not.match(/secret|ret@/);
    }
  });
});

describe('ping', () => {
  const mongodb = useMongodb();

  it('resolves if the server answers', async () => {
    await ping(mongodb.createDatabase());
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
