import { expect } from 'chai';
import { createHttpServer } from '../../../../src/adapters/http/server/http-server.js';
import { InMemoryPetCatalogue } from '../../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { AnimalStoreError } from '../../../../src/domain/errors.js';
import { endWithTest } from '../../../support/cleanup.js';
import { fetchInMemory } from '../../../support/in-memory-interface.js';
import { listenOnFreePort } from '../../../support/listen-on-free-port.js';
import { request } from '../../../support/request.js';

describe('without a log', () => {
  let printed: unknown[][];

  beforeEach(() => {
    printed = [];
    const { warn, error } = console;
    console.warn = (...args: unknown[]) => printed.push(['warn', ...args]);
    console.error = (...args: unknown[]) => printed.push(['error', ...args]);
    endWithTest(() => Object.assign(console, { warn, error }));
  });

  /** Asks an interface on a store whose list fails like this. */
  async function failBy(error: Error): Promise<void> {
    const catalogue = Object.assign(new InMemoryPetCatalogue(), { list: async () => Promise.reject(error) });
    await fetchInMemory({ catalogue })('/v1/pets', { headers: { 'x-request-id': 'req-7' } });
  }

  it('the interface prints an error on the console', async () => {
    const err = new Error('broken');
    await failBy(err);
    expect(printed).to.deep.equal([['error', 'a request failed', { requestId: 'req-7', err }]]);
  });

  for (const [what, options, cause] of [
    ['the message of its cause', { cause: new Error('connection 3 closed') }, 'connection 3 closed'],
    ['the error itself if it has no cause', {}, 'AnimalStoreError: it is silent'],
  ] as const) {
    it(`the interface prints a warning on the console if the store does not answer, with ${what}`, async () => {
      await failBy(new AnimalStoreError('store_unavailable', 'it is silent', options));
      const fields = { requestId: 'req-7', cause };
      expect(printed).to.deep.equal([['warn', 'the store did not answer in time', fields]]);
    });
  }

  it('the server prints the errors of its handler on the console', async () => {
    const err = new Error('broken');
    const port = await listenOnFreePort(createHttpServer(async () => Promise.reject(err)));
    await request(port, 'GET', '/');
    expect(printed).to.deep.equal([['error', 'the request handler failed', { err }]]);
  });
});
