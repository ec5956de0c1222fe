import { expect } from 'chai';
import { createHttpServer } from '../../../../src/adapters/http/server/http-server.js';
import { AnimalStoreError } from '../../../../src/domain/errors.js';
import { endWithTest } from '../../../support/cleanup.js';
import { fetchInMemory, inMemory } from '../../../support/in-memory-interface.js';
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

  const broken = new Error('broken');
  for (const [what, err, line] of [
    ['an error', broken, ['error', 'a request failed', { err: broken }]],
    [
      'the message of the cause, if the store does not answer',
      new AnimalStoreError('store_unavailable', 'it is silent', { cause: new Error('connection 3 closed') }),
      ['warn', 'the store did not answer in time', { cause: 'connection 3 closed' }],
    ],
    [
      'the error itself, if the store does not answer and it has no cause',
      new AnimalStoreError('store_unavailable', 'it is silent'),
      ['warn', 'the store did not answer in time', { cause: 'AnimalStoreError: it is silent' }],
    ],
  ] as const) {
    it(`the interface prints ${what}, on the console`, async () => {
      const { store } = inMemory();
      store.listPets = async () => Promise.reject(err);
      await fetchInMemory({ store })('/v1/pets', { headers: { 'x-request-id': 'req-7' } });
      const [level, message, fields] = line;
      expect(printed).to.deep.equal([[level, message, { requestId: 'req-7', ...fields }]]);
    });
  }

  it('the server prints the errors of its handler on the console', async () => {
    const port = await listenOnFreePort(createHttpServer(async () => Promise.reject(broken)));
    await request(port, 'GET', '/');
    expect(printed).to.deep.equal([['error', 'the request handler failed', { err: broken }]]);
  });
});
