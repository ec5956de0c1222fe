import { expect } from 'chai';
import type { RemotePetCatalogueOptions } from '../../../src/adapters/remote/remote-options.js';
import { RemotePetCatalogue } from '../../../src/adapters/remote/remote-pet-catalogue.js';
import { startScripted } from './scripted-service.js';

const GOOD: RemotePetCatalogueOptions = { url: 'https://animals.example/v1', apiKey: 'a-secret-key' };

/** Values that an option cannot have. */
const BAD: Readonly<Record<string, readonly unknown[]>> = {
  url: [
    undefined,
    '',
    'animals.example/v1',
    'ftp://animals.example/v1',
    'https:///v1',
    'https://animals.example:port/v1',
    'https://animals.example:70000/v1',
    'https://1.2.3.4.5/v1',
    'https://[:::1]/v1',
    'https://animals.example/v2',
    'https://animals.example/v1/',
    'https://animals.example/v1?',
    'https://animals.example/v1#top',
    ' https://animals.example/v1',
    'https://user:secret@animals.example/v1',
    new URL('https://animals.example/v1'),
  ],
  apiKey: [undefined, 7, '', ' secret', 'secret ', 'sec\nret', 'sécret', 'secret\0'],
  fetch: [null, 7, {}],
  deadlineMs: [0, -1, 1.5, '100', Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31],
};

describe('an option of RemotePetCatalogue', () => {
  for (const [name, values] of Object.entries(BAD)) {
    it(`${name} is refused by its name, without its value, if it breaks its rule`, () => {
      for (const value of values) {
        expect(() => new RemotePetCatalogue({ ...GOOD, [name]: value }), String(value))
          .to.throw(TypeError, new RegExp(`^${name} must `))
          .with.property('message')
          .that.does.not.match(/secret/);
      }
    });
  }

  it('may be a key with blanks inside, and a deadline as short and as long as a timer takes', () => {
    for (const deadlineMs of [1, 2 ** 31 - 1]) {
      const options = { ...GOOD, apiKey: 'at least 16 characters', deadlineMs };
      expect(new RemotePetCatalogue(options)).to.be.an('object');
    }
  });

  it('may be a base address with a port, a longer path or an IPv6 address', async () => {
    const { url, seen } = await startScripted({});
    const catalogue = new RemotePetCatalogue({ ...GOOD, url: url.replace('/v1', '/shop/v1') });
    await catalogue.list({ limit: 1, status: 'sold', after: 7n });
    expect(seen[0]?.url).to.equal('/shop/v1/pets?limit=1&status=sold&after=7');
    expect(new RemotePetCatalogue({ ...GOOD, url: 'http://[::1]:3000/v1' })).to.be.an('object');
  });
});
