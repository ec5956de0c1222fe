import { expect } from 'chai';
import { createFetchHandler } from '../../../src/adapters/http/fetch/create-fetch-handler.js';
import { createHttpServer } from '../../../src/adapters/http/server/http-server.js';
import { InMemoryApiKeys } from '../../../src/adapters/in-memory/in-memory-api-keys.js';
import { AnimalStoreError } from '../../../src/domain/errors.js';
import { endWithTest } from '../../support/cleanup.js';
import { listenOnFreePort } from '../../support/listen-on-free-port.js';
import { request } from '../../support/request.js';

describe('without a log', () => {
  let printed: unknown[][];

  beforeEach(() => {
    printed = [];
    const { warn, error } = console;
    console.warn = (...args: unknown[]) => printed.push(['warn', ...args]);
    console.error = (...args: unknown[]) => printed.push(['error', ...args]);
    endWithTest(() => Object.assign(console, { warn, error }));
  });

  /** Asks an interface on a store each call of which fails like this. */
  async function failBy(error: Error): Promise<void> {
    const fail = async (): Promise<never> => Promise.reject(error);
    const store = { listPets: fail, createPet: fail, createPetOnce: fail, getPet: fail };
    const key = 'a key of sixteen.';
    const handle = createFetchHandler({ store, apiKeys: new InMemoryApiKeys([{ name: 'me', key }]) });
    const headers = { authorization: `Bearer ${key}`, 'x-request-id': 'req-7' };
    await handle(new Request('http://127.0.0.1/v1/pets', { headers }));
  }

  it('the interface prints an error on the console', async () => {
    const err = new Error('broken');
    await failBy(err);
    expect(printed).to.deep.equal([['error', 'a request failed', { requestId: 'req-7', err }]]);
  });

  it('the interface prints a warning on the console if the store does not answer', async () => {
    await failBy(new AnimalStoreError('store_unavailable', 'it is silent'));
    const fields = { requestId: 'req-7', cause: 'AnimalStoreError: it is silent' };
    expect(printed).to.deep.equal([['warn', 'the store did not answer in time', fields]]);
  });

  it('the server prints the errors of its handler on the console', async () => {
    const err = new Error('broken');
    const port = await listenOnFreePort(createHttpServer(async () => Promise.reject(err)));
    await request(port, 'GET', '/');
    expect(printed).to.deep.equal([['error', 'the request handler failed', { err }]]);
  });
});
