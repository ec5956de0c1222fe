import { expect } from 'chai';
import fc from 'fast-check';
import { ConnectionString } from 'mongodb-connection-string-url';
import { createMongoClient } from '../../../src/adapters/mongodb/client.js';
import { databaseNameOf, errorOfMongodbUrl } from '../../../src/adapters/mongodb/mongodb-url.js';

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

  it('are what the parser of the driver reads, and so is the password', () => {
    fc.assert(
      fc.property(urls, (url) => {
        const { pathname, searchParams, password } = new ConnectionString(url);
        expect(databaseNameOf(url)).to.equal(decodeURIComponent(pathname.slice(1)) || 'animal-store');
        const { options } = createMongoClient(url.replace('mongodb+srv', 'mongodb'), { directConnection: false });
        expect(options.waitQueueTimeoutMS).to.equal(searchParams.has('waitQueueTimeoutMS') ? 8 : 4500);
        expect(options.credentials?.password ?? '').to.equal(decodeURIComponent(password));
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
  it('finds no error in a URL that the driver accepts', () => {
    for (const url of ['mongodb://host', 'mongodb://host/zoo?appName=x/y', 'mongodb+srv://user:pw@host/zoo']) {
      expect(errorOfMongodbUrl(url), url).to.equal(undefined);
    }
  });

  for (const [url, names] of [
    ['mongodb://host/?readPreferense=primary', 'readPreferense'],
    ['mongodb://host/zoo?w=1&foo=S3cret&bar&appName=x', 'foo, bar'],
    ['mongodb://host?foo=1', 'foo'],
    ['mongodb://anna:S3cret@host/?waitQueueTimeoutMS=long', 'waitQueueTimeoutMS'],
    ['mongodb://host/?tlsInsecure=true&tlsAllowInvalidHostnames=true', 'tlsAllowInvalidHostnames'],
    ['mongodb+srv://host/zoo?directConnection=true', 'directConnection'],
  ] as const) {
    it(`names the refused options of ${url}, and no value`, () => {
      const error = errorOfMongodbUrl(url) ?? '';
      expect(error).to.match(/^must have only options that the MongoDB driver knows/);
      expect(error.split('refused: ')[1]).to.equal(names);
    });
  }

  for (const url of [
    '',
    'secret',
    'http://user:secret@host/',
    'mongodb://',
    'mongodb://user:sec/ret@host/',
    'mongodb://user:secret%zz@host/',
    'mongodb://user:secret@host:99999/',
    'mongodb://host:secret/?foo=1',
    'mongodb://anna:12?secret=1@host/',
    'mongodb+srv://user:secret@host:27017/',
  ]) {
    it(`is about the form of ${url || 'an empty URL'}, of which it repeats nothing`, () => {
      expect(errorOfMongodbUrl(url))
        .to.match(/^must be mongodb:/)
        .and.not.match(/secret|sec\/ret|99999/);
    });
  }

  it('is none for a name of 63 bytes', () => {
    expect(errorOfMongodbUrl(`mongodb://host/${'x'.repeat(63)}`)).to.equal(undefined);
  });

  for (const name of ['secret.db', 'a%20b', '%24x', 'a%2Fb', 'a%5Cb', 'a%22', '%00', 'x'.repeat(64)]) {
    it(`is about the database for the name ${name}`, () => {
      expect(errorOfMongodbUrl(`mongodb://host/${name}`))
        .to.match(/^must name a database of/)
        .and.not.include('secret');
    });
  }
});
