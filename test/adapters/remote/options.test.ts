import { expect } from 'chai';
import {
  RemotePetCatalogue,
  type RemotePetCatalogueOptions,
} from '../../../src/adapters/remote/remote-pet-catalogue.js';
import { startScripted } from './scripted-service.js';

const GOOD: RemotePetCatalogueOptions = { url: 'https://animals.example/v1', apiKey: 'a-secret-key' };

/** Values that an option cannot have. */
const BAD: Readonly<Record<string, readonly unknown[]>> = {
  url: [
    undefined,
    7,
    '',
    '/v1',
    'animals.example/v1',
    'ftp://animals.example/v1',
    'https://animals.example/',
    'https://animals.example/v2',
    'https://animals.example/v1/',
    'https://animals.example/v1?',
    'https://animals.example/v1#top',
    ' https://animals.example/v1',
    'https://user:secret@animals.example/v1',
    'https://secret@animals.example/v1',
    'https://:secret@animals.example/v1',
    new URL('https://animals.example/v1'),
  ],
  apiKey: [undefined, 7, '', ' secret', 'secret ', 'sec\nret', 'sécret', 'secret\0'],
  fetch: [null, 7, {}],
  deadlineMs: [0, -1, 1.5, '100', Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31],
  idempotencyKeys: [null, 0, 'no'],
};

describe('an option of RemotePetCatalogue', () => {
  for (const [name, values] of Object.entries(BAD)) {
    for (const value of values) {
      it(`${name} cannot be ${typeof value === 'string' ? JSON.stringify(value) : String(value)}`, () => {
        const options = { ...GOOD, [name]: value };
        expect(() => new RemotePetCatalogue(options))
          .to.throw(TypeError, new RegExp(`^${name} must `))
          .with.property('message')
          .that.does.not.match(/secret/);
      });
    }
  }

  it('may be a key with blanks inside', () => {
    expect(new RemotePetCatalogue({ ...GOOD, apiKey: 'at least 16 characters' })).to.be.an('object');
  });

  it('may be a deadline as short and as long as a timer takes', () => {
    for (const deadlineMs of [1, 2 ** 31 - 1])
      expect(new RemotePetCatalogue({ ...GOOD, deadlineMs })).to.be.an('object');
  });

  it('may be a base address with a port and a longer path', async () => {
    const { url, seen } = await startScripted({});
    const catalogue = new RemotePetCatalogue({ ...GOOD, url: url.replace('/v1', '/shop/v1') });
    await catalogue.list({ limit: 1 });
    expect(seen[0]?.url).to.equal('/shop/v1/pets?limit=1');
  });

  it('fetch sends every request', async () => {
    const urls: string[] = [];
    const fetch = async (url: string): Promise<Response> => {
      urls.push(url);
      return new Response('[]');
    };
    await new RemotePetCatalogue({ ...GOOD, fetch }).list({ limit: 1, status: 'sold', after: -1n });
    expect(urls).to.deep.equal(['https://animals.example/v1/pets?limit=1&status=sold&after=-1']);
  });
});
